//! The conditions that a tab pretends to its pages: a device, media features, a place, a network
//! and a processor. Flags, parameters of tools and check files are parsed by the types here.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::device::Device;
use super::written::text_form;

/// The conditions that a tab pretends to its pages. What is `None` is as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Emulation {
    /// The device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Device>,
    /// `prefers-color-scheme`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color_scheme: Option<ColorScheme>,
    /// Whether `prefers-reduced-motion` is `reduce`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduced_motion: Option<bool>,
    /// `prefers-contrast`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contrast: Option<Contrast>,
    /// Whether `forced-colors` is `active`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forced_colors: Option<bool>,
    /// The medium that styles are for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media: Option<Medium>,
    /// The language of the browser.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<Locale>,
    /// The time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<TimeZone>,
    /// The position, which pages may ask for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geolocation: Option<Geolocation>,
    /// Whether there is no network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offline: Option<bool>,
    /// The speed of the network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkSpeed>,
    /// How many times slower the processor is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<CpuSlowdown>,
    /// The user agent, instead of the one of the device or the browser.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<UserAgent>,
}

impl Emulation {
    /// Returns these conditions, and those of `below` where nothing is said.
    #[must_use]
    pub fn over(self, below: &Emulation) -> Emulation {
        Emulation {
            device: self.device.or(below.device),
            color_scheme: self.color_scheme.or(below.color_scheme),
            reduced_motion: self.reduced_motion.or(below.reduced_motion),
            contrast: self.contrast.or(below.contrast),
            forced_colors: self.forced_colors.or(below.forced_colors),
            media: self.media.or(below.media),
            locale: self.locale.or_else(|| below.locale.clone()),
            timezone: self.timezone.or_else(|| below.timezone.clone()),
            geolocation: self.geolocation.or(below.geolocation),
            offline: self.offline.or(below.offline),
            network: self.network.or(below.network),
            cpu: self.cpu.or(below.cpu),
            user_agent: self.user_agent.or_else(|| below.user_agent.clone()),
        }
    }

    /// Returns these conditions without switches that are off: they are as if nothing was said.
    #[must_use]
    pub fn effective(self) -> Emulation {
        let on = |given: Option<bool>| given.filter(|on| *on);
        Emulation {
            reduced_motion: on(self.reduced_motion),
            forced_colors: on(self.forced_colors),
            offline: on(self.offline),
            ..self
        }
    }

    /// Whether nothing is emulated.
    pub fn is_empty(&self) -> bool {
        *self == Emulation::default()
    }

    /// Whether it has a touch screen and no mouse.
    pub fn has_touch(&self) -> bool {
        self.device.is_some_and(|device| device.touch)
    }
}

/// The conditions in a few words: `pixel-9, dark, de-DE, offline`.
impl Display for Emulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn said<T: Display>(value: &Option<T>) -> Option<String> {
            value.as_ref().map(T::to_string)
        }
        let on = |on: Option<bool>, words: &str| on.filter(|on| *on).map(|_| words.to_owned());
        let after =
            |value: Option<String>, words: &str| value.map(|value| format!("{words} {value}"));
        let words = [
            said(&self.device),
            said(&self.color_scheme),
            on(self.reduced_motion, "reduced motion"),
            after(said(&self.contrast), "contrast"),
            on(self.forced_colors, "forced colors"),
            said(&self.media),
            said(&self.locale),
            said(&self.timezone),
            after(said(&self.geolocation), "at"),
            on(self.offline, "offline"),
            after(said(&self.network), "network"),
            after(said(&self.cpu), "cpu"),
            after(said(&self.user_agent), "user agent"),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// A text is not a value of a condition. The message says what to give.
#[derive(Debug, thiserror::Error, Clone, Copy, PartialEq, Eq)]
#[error("give {0}")]
pub struct UnknownCondition(&'static str);

/// Makes an enum of words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $hint:literal, $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_doc])* $variant),+
        }

        impl Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $($name::$variant => $word),+ })
            }
        }

        impl FromStr for $name {
            type Err = UnknownCondition;

            fn from_str(text: &str) -> Result<$name, UnknownCondition> {
                match text {
                    $($word => Ok($name::$variant),)+
                    _ => Err(UnknownCondition($hint)),
                }
            }
        }

        text_form!($name);
    };
}

words!(
    /// A colour scheme that the user prefers.
    ColorScheme, "dark or light",
    /// Light text on dark.
    Dark = "dark",
    /// Dark text on light.
    Light = "light"
);

words!(
    /// A contrast that the user prefers.
    Contrast, "more or less",
    /// More contrast.
    More = "more",
    /// Less contrast.
    Less = "less"
);

words!(
    /// A medium that styles are for.
    Medium, "print or screen",
    /// Paper.
    Print = "print",
    /// A screen.
    Screen = "screen"
);

/// Makes a type of a text that was checked.
macro_rules! checked_text {
    ($(#[$doc:meta])* $name:ident, $hint:literal, $check:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// Returns it as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = UnknownCondition;

            fn from_str(text: &str) -> Result<$name, UnknownCondition> {
                let check: fn(&str) -> bool = $check;
                match check(text) {
                    true => Ok($name(text.to_owned())),
                    false => Err(UnknownCondition($hint)),
                }
            }
        }

        text_form!($name);
    };
}

checked_text!(
    /// A language and a region, such as `de-DE`.
    Locale, "a language tag such as de-DE", is_language_tag
);
checked_text!(
    /// A time zone of the IANA database, such as `Asia/Tokyo`.
    TimeZone, "a time zone such as Asia/Tokyo", is_time_zone
);
checked_text!(
    /// A user agent.
    UserAgent, "1 to 500 printable ASCII characters", |text| {
        (1..=500).contains(&text.len()) && text.trim() == text
            && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
    }
);

fn is_language_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    (2..=3).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_alphabetic())
        && text.len() <= 35
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}

fn is_time_zone(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_+-".contains(&byte))
    };
    text.len() <= 60
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.split('/').all(is_part)
}

/// A position on the earth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geolocation {
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// The accuracy in metres.
    pub accuracy: f64,
}

/// The accuracy in metres if none is given.
const ACCURACY: f64 = 10.0;

impl FromStr for Geolocation {
    type Err = UnknownCondition;

    fn from_str(text: &str) -> Result<Geolocation, UnknownCondition> {
        let numbers: Option<Vec<f64>> =
            text.split(',').map(|number| number.trim().parse().ok()).collect();
        let (latitude, longitude, accuracy) = match numbers.as_deref() {
            Some([latitude, longitude]) => (*latitude, *longitude, ACCURACY),
            Some([latitude, longitude, accuracy]) => (*latitude, *longitude, *accuracy),
            _ => (f64::NAN, f64::NAN, f64::NAN),
        };
        let is_place = (-90.0..=90.0).contains(&latitude)
            && (-180.0..=180.0).contains(&longitude)
            && (0.0..=1e6).contains(&accuracy);
        match is_place {
            true => Ok(Geolocation { latitude, longitude, accuracy }),
            false => Err(UnknownCondition(
                "latitude and longitude in degrees, and the accuracy in metres if it matters, such as 35.68,139.77,20",
            )),
        }
    }
}

impl Display for Geolocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.latitude, self.longitude)?;
        if self.accuracy == ACCURACY { Ok(()) } else { write!(f, ",{}", self.accuracy) }
    }
}

text_form!(Geolocation);

/// The speed of a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkSpeed {
    /// The rate of downloads and uploads, in kilobits per second.
    pub rate: f64,
    /// How much later an answer begins, in milliseconds.
    pub latency: f64,
}

/// The network that is called slow.
const SLOW: NetworkSpeed = NetworkSpeed { rate: 400.0, latency: 400.0 };

impl NetworkSpeed {
    /// Returns the rate in bytes per second.
    pub fn bytes_per_second(self) -> f64 {
        self.rate * 1000.0 / 8.0
    }
}

impl FromStr for NetworkSpeed {
    type Err = UnknownCondition;

    fn from_str(text: &str) -> Result<NetworkSpeed, UnknownCondition> {
        if text == "slow" {
            return Ok(SLOW);
        }
        let numbers = text.split_once(',');
        let numbers = numbers.and_then(|(rate, latency)| {
            Some((rate.trim().parse::<f64>().ok()?, latency.trim().parse::<f64>().ok()?))
        });
        let numbers = numbers.filter(|(rate, latency)| {
            (1.0..=1e7).contains(rate) && (0.0..=60_000.0).contains(latency)
        });
        let (rate, latency) = numbers.ok_or(UnknownCondition(
            "slow, or kilobits per second and milliseconds, such as 1600,150",
        ))?;
        Ok(NetworkSpeed { rate, latency })
    }
}

impl Display for NetworkSpeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self == SLOW {
            true => f.write_str("slow"),
            false => write!(f, "{},{}", self.rate, self.latency),
        }
    }
}

text_form!(NetworkSpeed);

/// How many times slower a processor is: 1 to 20.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CpuSlowdown(f64);

impl CpuSlowdown {
    /// Returns the factor.
    pub fn factor(self) -> f64 {
        self.0
    }

    fn of(factor: f64) -> Result<CpuSlowdown, UnknownCondition> {
        match (1.0..=20.0).contains(&factor) {
            true => Ok(CpuSlowdown(factor)),
            false => Err(UnknownCondition("how many times slower, 1 to 20")),
        }
    }
}

impl FromStr for CpuSlowdown {
    type Err = UnknownCondition;

    fn from_str(text: &str) -> Result<CpuSlowdown, UnknownCondition> {
        CpuSlowdown::of(text.parse().unwrap_or(f64::NAN))
    }
}

impl Display for CpuSlowdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Serialize for CpuSlowdown {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.0)
    }
}

impl<'de> Deserialize<'de> for CpuSlowdown {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<CpuSlowdown, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a number")]
        enum Written {
            Number(f64),
            Text(String),
        }
        let read = match Written::deserialize(from)? {
            Written::Number(factor) => CpuSlowdown::of(factor),
            Written::Text(text) => text.parse(),
        };
        read.map_err(|reason| serde::de::Error::custom(format!("cpu cannot be used; {reason}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Emulation, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn conditions_are_written_as_words() {
        let json = r#"{"device":"pixel-9","color_scheme":"dark","reduced_motion":true,"contrast":"more","forced_colors":true,"media":"print","locale":"de-DE","timezone":"America/Argentina/Buenos_Aires","geolocation":"35.68,139.77","offline":true,"network":"slow","cpu":4.0,"user_agent":"Bot/1.0 (x)"}"#;
        let all = read(json).unwrap();
        assert_eq!(serde_json::to_string(&all).unwrap(), json);
        assert_eq!(
            all.to_string(),
            "pixel-9, dark, reduced motion, contrast more, forced colors, print, de-DE, \
             America/Argentina/Buenos_Aires, at 35.68,139.77, offline, network slow, cpu 4, \
             user agent Bot/1.0 (x)"
        );
        assert!(all.has_touch() && !all.is_empty());
        assert_eq!(serde_json::to_string(&Emulation::default()).unwrap(), "{}");
    }

    #[test]
    fn wrong_values_name_the_value_and_what_to_give() {
        for (json, says) in [
            (r#"{"color_scheme":"blue"}"#, "\"blue\" cannot be used; give dark or light"),
            (r#"{"contrast":""}"#, "\"\" cannot be used; give more or less"),
            (r#"{"media":"tv"}"#, "give print or screen"),
            (r#"{"locale":"d"}"#, "\"d\" cannot be used; give a language tag such as de-DE"),
            (r#"{"locale":"de_DE"}"#, "give a language tag"),
            (r#"{"locale":"de-"}"#, "give a language tag"),
            (r#"{"timezone":"Asia//Tokyo"}"#, "give a time zone such as Asia/Tokyo"),
            (r#"{"timezone":"+01:00"}"#, "give a time zone"),
            (r#"{"geolocation":"91,0"}"#, "give latitude and longitude"),
            (r#"{"geolocation":"1,2,3,4"}"#, "give latitude and longitude"),
            (r#"{"geolocation":"1,NaN"}"#, "give latitude and longitude"),
            (r#"{"network":"fast"}"#, "give slow, or kilobits"),
            (r#"{"network":"0,10"}"#, "give slow, or kilobits"),
            (r#"{"cpu":0.5}"#, "give how many times slower, 1 to 20"),
            (r#"{"cpu":"x"}"#, "give how many times slower"),
            (r#"{"cpu":[]}"#, "a number"),
            (r#"{"user_agent":" x"}"#, "printable ASCII"),
            (r#"{"user_agent":"a\nb"}"#, "printable ASCII"),
            (r#"{"device":"nokia"}"#, "\"nokia\" cannot be used; give one of iphone-se, "),
            (r#"{"dark":true}"#, "unknown field `dark`"),
        ] {
            let error = read(json).unwrap_err();
            assert!(error.contains(says), "{json}: {error}");
        }
    }

    #[test]
    fn later_conditions_are_added_to_earlier_ones() {
        let first = read(r#"{"color_scheme":"dark","offline":true,"locale":"de-DE"}"#).unwrap();
        let then = read(r#"{"color_scheme":"light","offline":false,"cpu":2}"#).unwrap();
        let both = then.over(&first).effective();
        assert_eq!(both, read(r#"{"color_scheme":"light","locale":"de-DE","cpu":2}"#).unwrap());
        assert!(read(r#"{"offline":false}"#).unwrap().effective().is_empty());
    }
}
