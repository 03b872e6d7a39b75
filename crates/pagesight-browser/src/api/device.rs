//! The devices that a tab can stand in for: a table of known ones, and sizes that callers write.
//! The figures are those that the makers publish. The viewport is the screen without the bars of
//! the system and of its browser.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::viewport::Viewport;
use super::written::text_form;

/// The system of a device, which decides on its user agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceSystem {
    /// The browser's own system: the user agent stays as it is.
    Own,
    /// A phone with Android, and its model.
    AndroidPhone(&'static str),
    /// A tablet with Android, and its model.
    AndroidTablet(&'static str),
    /// An iPhone.
    Iphone,
    /// An iPad, which asks for the pages of a Mac.
    Ipad,
}

/// A device that a tab stands in for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Device {
    /// The name in the table; `None` for a size that the caller wrote.
    name: Option<&'static str>,
    /// The size of the page.
    pub viewport: Viewport,
    /// The size of the screen, in CSS pixels.
    pub screen: Viewport,
    /// The pixels of the screen per CSS pixel.
    pub pixel_ratio: f64,
    /// Whether it has a touch screen and no mouse. Pages may set their viewport with a meta
    /// element.
    pub touch: bool,
    /// Its system.
    pub system: DeviceSystem,
}

/// The height of the bars of a system and its browser, in CSS pixels: the status bar and the
/// browser's own bars when a page was just loaded.
const ANDROID_BARS: u32 = 80;
const IPAD_BARS: u32 = 74;
const IPHONE_BARS: u32 = 193;
const IPHONE_WITH_BUTTON_BARS: u32 = 114;

/// The devices with a name: the size of the screen, its pixel ratio, the height of the bars, and
/// the system.
type Row = (&'static str, (u32, u32), f64, u32, DeviceSystem);
const TABLE: [Row; 16] = [
    ("iphone-se", (375, 667), 2.0, IPHONE_WITH_BUTTON_BARS, DeviceSystem::Iphone),
    ("iphone-15", (393, 852), 3.0, IPHONE_BARS, DeviceSystem::Iphone),
    ("iphone-16", (393, 852), 3.0, IPHONE_BARS, DeviceSystem::Iphone),
    ("iphone-16-pro-max", (440, 956), 3.0, IPHONE_BARS, DeviceSystem::Iphone),
    ("iphone-17", (402, 874), 3.0, IPHONE_BARS, DeviceSystem::Iphone),
    ("ipad-mini", (744, 1133), 2.0, IPAD_BARS, DeviceSystem::Ipad),
    ("ipad", (820, 1180), 2.0, IPAD_BARS, DeviceSystem::Ipad),
    ("ipad-pro-13", (1032, 1376), 2.0, IPAD_BARS, DeviceSystem::Ipad),
    ("pixel-8", (412, 915), 2.625, ANDROID_BARS, DeviceSystem::AndroidPhone("Pixel 8")),
    ("pixel-9", (412, 923), 2.625, ANDROID_BARS, DeviceSystem::AndroidPhone("Pixel 9")),
    ("pixel-10", (412, 923), 2.625, ANDROID_BARS, DeviceSystem::AndroidPhone("Pixel 10")),
    ("galaxy-s24", (360, 780), 3.0, ANDROID_BARS, DeviceSystem::AndroidPhone("SM-S921B")),
    ("galaxy-s25", (360, 780), 3.0, ANDROID_BARS, DeviceSystem::AndroidPhone("SM-S931B")),
    ("galaxy-tab-s9", (800, 1280), 2.0, ANDROID_BARS, DeviceSystem::AndroidTablet("SM-X710")),
    ("laptop-hidpi", (1440, 900), 2.0, 120, DeviceSystem::Own),
    ("desktop-full-hd", (1920, 1080), 1.0, 140, DeviceSystem::Own),
];

impl Device {
    /// Returns the names of the known devices.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TABLE.iter().map(|row| row.0)
    }

    fn known(&(name, (width, height), pixel_ratio, bars, system): &Row) -> Device {
        Device {
            name: Some(name),
            viewport: Viewport { width, height: height - bars },
            screen: Viewport { width, height },
            pixel_ratio,
            touch: system != DeviceSystem::Own,
            system,
        }
    }

    /// Returns the user agent of the device for a browser of this major version; `None` if the
    /// browser's own one stays.
    pub fn user_agent(&self, major: &str) -> Option<String> {
        const SAFARI: &str = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0";
        let chrome = |mobile: &str| {
            // Chrome reports the same version and model of Android for all devices.
            format!(
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/{major}.0.0.0 {mobile}Safari/537.36"
            )
        };
        match self.system {
            DeviceSystem::Own => None,
            DeviceSystem::AndroidPhone(_) => Some(chrome("Mobile ")),
            DeviceSystem::AndroidTablet(_) => Some(chrome("")),
            DeviceSystem::Iphone => Some(format!(
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) {SAFARI} Mobile/15E148 \
                 Safari/604.1"
            )),
            DeviceSystem::Ipad => Some(format!(
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {SAFARI} Safari/605.1.15"
            )),
        }
    }
}

/// A text is not a device.
#[derive(Debug, thiserror::Error, Clone, Copy, PartialEq, Eq)]
#[error(
    "give one of {}, or a size such as 412x915@2.6,touch",
    Device::names().collect::<Vec<_>>().join(", ")
)]
pub struct UnknownDevice;

impl FromStr for Device {
    type Err = UnknownDevice;

    fn from_str(text: &str) -> Result<Device, UnknownDevice> {
        if let Some(row) = TABLE.iter().find(|row| row.0.eq_ignore_ascii_case(text)) {
            return Ok(Device::known(row));
        }
        let (text, touch) = match text.split_once(',') {
            Some((size, "touch")) => (size, true),
            Some(_) => return Err(UnknownDevice),
            None => (text, false),
        };
        let (size, ratio) = text.split_once('@').unwrap_or((text, "1"));
        let viewport: Viewport = size.parse().map_err(|_| UnknownDevice)?;
        let ratio = ratio.parse().ok().filter(|ratio| (0.5..=5.0).contains(ratio));
        let pixel_ratio: f64 = ratio.ok_or(UnknownDevice)?;
        let system = DeviceSystem::Own;
        Ok(Device { name: None, viewport, screen: viewport, pixel_ratio, touch, system })
    }
}

impl Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.name {
            return f.write_str(name);
        }
        let Viewport { width, height } = self.viewport;
        write!(f, "{width}x{height}")?;
        if self.pixel_ratio != 1.0 {
            write!(f, "@{}", self.pixel_ratio)?;
        }
        if self.touch { f.write_str(",touch") } else { Ok(()) }
    }
}

text_form!(Device);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_device_has_its_own_name_and_sensible_figures() {
        for (at, row) in TABLE.iter().enumerate() {
            assert!(TABLE[at + 1..].iter().all(|other| other.0 != row.0), "{} is twice", row.0);
            let device: Device = row.0.parse().unwrap();
            assert_eq!(device.to_string(), row.0);
            assert!(device.viewport.is_sensible() && device.screen.height < 2_000, "{row:?}");
            assert_eq!(device.viewport.width, device.screen.width);
            // The pixels of the panel are a whole number, give or take the rounding of Android.
            let pixels = f64::from(device.screen.width) * device.pixel_ratio;
            assert!(pixels >= 720.0, "{row:?}");
        }
    }

    #[test]
    fn other_devices_are_written_as_a_size() {
        for text in ["412x915@2.6,touch", "800x600", "1440x900@2", "390x844,touch"] {
            let device: Device = text.parse().unwrap();
            assert_eq!(device.to_string(), text);
            assert_eq!(device.touch, text.ends_with("touch"), "{text}");
            assert_eq!(device.user_agent("150"), None, "{text}");
        }
        assert_eq!("800x600@1".parse::<Device>().unwrap().to_string(), "800x600");
        for wrong in [
            "",
            "nokia",
            "800",
            "800x600@",
            "800x600@9",
            "800x600@x",
            "800x600,pen",
            "50x50",
            "800x600,touch,touch",
            "800x600@NaN",
            "@2",
        ] {
            let error = wrong.parse::<Device>().unwrap_err().to_string();
            assert!(
                error.contains("iphone-16, ") && error.contains("412x915@2.6,touch"),
                "{error}"
            );
        }
    }

    #[test]
    fn user_agents_have_the_version_of_the_browser() {
        let of = |name: &str| name.parse::<Device>().unwrap().user_agent("156").unwrap_or_default();
        assert!(of("pixel-9").contains("Chrome/156.0.0.0 Mobile Safari/537.36"));
        assert!(of("galaxy-tab-s9").contains("Chrome/156.0.0.0 Safari/537.36"));
        assert!(of("iphone-16").contains("iPhone") && !of("iphone-16").contains("156"));
        assert!(of("ipad").contains("Macintosh"));
        assert_eq!(of("laptop-hidpi"), "");
    }
}
