//! The sizes, devices and conditions that a page is checked in: each combination is a job.

use pagesight_session::{Device, Emulation, Viewport};

use super::error::SettingError;
use super::written::{OneOrMany, WrittenPage, WrittenPlan};

/// A size of a tab, with the device that it stands in for.
#[derive(Clone, Copy)]
struct TabSize {
    viewport: Viewport,
    device: Option<Device>,
}

/// The settings of sizes in one place of the file.
struct Sizes<'a> {
    viewports: Option<&'a [String]>,
    device: Option<&'a String>,
    devices: Option<&'a [String]>,
}

impl Sizes<'_> {
    /// Whether nothing is said here. An empty list says nothing.
    fn is_empty(&self) -> bool {
        let none = |list: Option<&[String]>| list.is_none_or(<[String]>::is_empty);
        none(self.viewports) && none(self.devices) && self.device.is_none()
    }

    fn read(&self) -> Result<Vec<TabSize>, SettingError> {
        if self.device.is_some() && self.devices.is_some() {
            return Err(SettingError::TwoDevices);
        }
        let viewports = self.viewports.into_iter().flatten().map(|given| {
            let wrong = |reason| SettingError::Viewport { given: given.clone(), reason };
            let viewport = given.parse().map_err(wrong)?;
            Ok(TabSize { viewport, device: None })
        });
        let devices = self.devices.into_iter().flatten().chain(self.device).map(|given| {
            let wrong = |reason| SettingError::Device { given: given.clone(), reason };
            let device: Device = given.parse().map_err(wrong)?;
            Ok(TabSize { viewport: device.viewport, device: Some(device) })
        });
        viewports.chain(devices).collect()
    }
}

/// Returns the combinations of sizes and conditions of a page.
pub(super) fn views(
    file: &WrittenPlan,
    page: &WrittenPage,
) -> Result<Vec<(Viewport, Emulation)>, SettingError> {
    let conditions = conditions(file, page)?;
    let mut views = Vec::new();
    for TabSize { viewport, device } in sizes(file, page)? {
        let with_device = |emulation: &Emulation| Emulation { device, ..emulation.clone() };
        views.extend(conditions.iter().map(|emulation| (viewport, with_device(emulation))));
    }
    Ok(views)
}

/// Returns the sizes of a page: its own, else those of the file.
fn sizes(file: &WrittenPlan, page: &WrittenPage) -> Result<Vec<TabSize>, SettingError> {
    let own = Sizes {
        viewports: page.viewports.as_deref(),
        device: page.device.as_ref(),
        devices: page.devices.as_deref(),
    };
    let shared = Sizes {
        viewports: file.viewports.as_deref(),
        device: file.device.as_ref(),
        devices: file.devices.as_deref(),
    };
    match (own.is_empty(), shared.is_empty()) {
        (false, _) => own.read(),
        (true, false) => shared.read(),
        (true, true) => Ok(vec![TabSize { viewport: Viewport::default(), device: None }]),
    }
}

/// Returns the conditions of a page: its own, else those of the file.
fn conditions(file: &WrittenPlan, page: &WrittenPage) -> Result<Vec<Emulation>, SettingError> {
    let given = page.emulate.clone().or_else(|| file.emulate.clone());
    let list = given.map(OneOrMany::list).unwrap_or_default();
    if list.iter().any(|conditions| conditions.device.is_some()) {
        return Err(SettingError::DeviceInEmulate);
    }
    match list.is_empty() {
        true => Ok(vec![Emulation::default()]),
        false => Ok(list.into_iter().map(Emulation::effective).collect()),
    }
}
