//! The visit of a page as a run sees it, and its implementation with browsers.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::browsers::{CheckBrowsers, LeaseEnd, PageEnd};
use super::error::VisitError;
use super::model::{Visit, VisitRequest};
use super::page;
use crate::plan::Plan;

/// Visits pages for a run.
#[async_trait]
pub trait PageVisitor: Send + Sync {
    /// Visits a page once.
    async fn visit(&self, request: &VisitRequest<'_>) -> Result<Visit, VisitError>;

    /// Ends everything that visits use.
    async fn close(&self);
}

/// Visits pages in browsers.
pub struct BrowserVisitor {
    plan: Arc<Plan>,
    browsers: Box<dyn CheckBrowsers>,
    patience: Duration,
}

impl BrowserVisitor {
    /// Creates it for a plan. A page waits for a browser as long as it may take itself, and at
    /// least as long as `patience`.
    pub fn new(
        plan: Arc<Plan>,
        browsers: Box<dyn CheckBrowsers>,
        patience: Duration,
    ) -> BrowserVisitor {
        BrowserVisitor { plan, browsers, patience }
    }
}

#[async_trait]
impl PageVisitor for BrowserVisitor {
    async fn visit(&self, request: &VisitRequest<'_>) -> Result<Visit, VisitError> {
        let limit = request.job.limit.max(self.patience);
        let lease = self.browsers.lend(request.job.engine, limit).await?;
        let visited = page::visit(lease.browser(), &self.plan, request).await;
        let end = match &visited {
            Err(error) if !error.is_final() && *error != VisitError::BrowserEnded => {
                PageEnd::Failed
            }
            _ => PageEnd::Known,
        };
        match lease.give_back(end).await {
            LeaseEnd::Lost => Err(VisitError::BrowserEnded),
            LeaseEnd::Kept => visited,
        }
    }

    async fn close(&self) {
        self.browsers.close().await;
    }
}
