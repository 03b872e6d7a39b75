//! A page that is generated.

#[derive(Debug)]
pub struct DocsPage {
    /// From the root of the project.
    pub path: String,
    pub text: String,
}
