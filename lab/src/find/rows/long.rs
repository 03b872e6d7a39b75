use super::RowsRun;
pub async fn run(_run: &RowsRun<'_>) -> anyhow::Result<Vec<String>> {
    Ok(Vec::new())
}
