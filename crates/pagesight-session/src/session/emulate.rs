//! The conditions that tabs emulate: as the options say from the start, and as callers change them.

use pagesight_browser::{Device, Emulation, OpenedTab, Viewport, lock};

use crate::error::Result;
use crate::session::Session;
use crate::tab::error::TabError;
use crate::tab::record::TabRecord;

impl Session {
    /// Emulates more conditions in a tab, besides those that it emulates already. Returns all of
    /// them. A switch that is off ends what it stands for.
    pub async fn emulate(&self, record: &TabRecord, more: &Emulation) -> Result<Emulation> {
        let _turn = record.turn().await?;
        self.check_tab(record)?;
        let all = more.clone().over(&record.tab.emulation()).effective();
        self.set_emulation(record, all).await
    }

    /// Gives a tab the conditions that new tabs have. A device stays.
    pub async fn reset_emulation(&self, record: &TabRecord) -> Result<Emulation> {
        let _turn = record.turn().await?;
        self.check_tab(record)?;
        let device = record.tab.emulation().device;
        self.set_emulation(record, Emulation { device, ..self.options.emulation.clone() }).await
    }

    /// Lets a tab stand in for a device.
    pub async fn set_device(&self, record: &TabRecord, device: Device) -> Result<()> {
        let _turn = record.turn().await?;
        self.check_tab(record)?;
        let wanted = Emulation { device: Some(device), ..record.tab.emulation() };
        self.set_emulation(record, wanted).await?;
        *lock(&record.viewport) = Some(device.viewport);
        Ok(())
    }

    /// Changes the viewport of a tab. A device that it stood in for is gone then.
    pub async fn resize_tab(&self, record: &TabRecord, viewport: Viewport) -> Result<()> {
        let _turn = record.turn().await?;
        if !viewport.is_sensible() {
            let Viewport { width, height } = viewport;
            return Err(TabError::Viewport { width, height }.into());
        }
        self.check_tab(record)?;
        let emulation = record.tab.emulation();
        if emulation.device.is_some() {
            self.set_emulation(record, Emulation { device: None, ..emulation }).await?;
        }
        record.main_thread.attend(record.tab.resize(viewport)).await?;
        *lock(&record.viewport) = Some(viewport);
        Ok(())
    }

    async fn set_emulation(&self, record: &TabRecord, wanted: Emulation) -> Result<Emulation> {
        record.main_thread.attend(record.tab.emulate(&wanted)).await?;
        Ok(wanted)
    }

    /// Ends what is emulated in tabs of the user.
    pub(crate) async fn end_emulation(&self) {
        let chosen = self.shared.tabs().chosen();
        for record in chosen.iter().filter(|record| !record.tab.emulation().is_empty()) {
            if let Err(error) = record.tab.emulate(&Emulation::default()).await {
                tracing::warn!(%error, "while giving a tab back");
            }
        }
    }

    /// Gives a tab that was just opened these conditions. One that cannot have them is closed: it
    /// would show pages as nobody asked for.
    pub(crate) async fn with_conditions(
        &self,
        opened: OpenedTab,
        conditions: &Emulation,
    ) -> Result<OpenedTab> {
        if let Err(error) = opened.tab.emulate(conditions).await {
            let _ = opened.tab.close().await;
            return Err(error.into());
        }
        Ok(opened)
    }
}
