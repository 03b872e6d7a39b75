//! The cells of a row of a table.

use crate::page::Node;
use crate::page::role::Role;

/// Returns the visible cells of a row.
pub(super) fn cells<'p>(row: Node<'p>) -> Vec<Node<'p>> {
    row.children()
        .filter(|cell| {
            matches!(
                cell.role(),
                Role::Cell | Role::GridCell | Role::ColumnHeader | Role::RowHeader
            ) && cell.hidden().is_none()
        })
        .collect()
}
