//! The flags for the conditions that tabs emulate. Their values are parsed by the types of the
//! browser library, as those of tools and check files are.

use clap::Args;
use pagesight_session::{
    ColorScheme, Contrast, CpuSlowdown, Device, Emulation, Geolocation, Locale, Medium,
    NetworkSpeed, TimeZone, UserAgent,
};

/// The conditions that tabs emulate.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Devices and places")]
pub(crate) struct EmulationArguments {
    /// Emulate a device: its size, pixel ratio, touch screen and user agent. A name such as pixel-9
    /// or iphone-16, or a size such as 412x915@2.6,touch
    #[arg(long, value_name = "DEVICE", conflicts_with = "viewport")]
    pub(crate) device: Option<Device>,
    /// Prefer this colour scheme: dark or light
    #[arg(long, value_name = "SCHEME")]
    color_scheme: Option<ColorScheme>,
    /// Prefer reduced motion
    #[arg(long)]
    reduced_motion: bool,
    /// Prefer more or less contrast
    #[arg(long, value_name = "CONTRAST")]
    contrast: Option<Contrast>,
    /// Force the colours of the system, as high-contrast modes do
    #[arg(long)]
    forced_colors: bool,
    /// Use the styles for print or screen
    #[arg(long, value_name = "MEDIUM")]
    media: Option<Medium>,
    /// Use this language, such as de-DE
    #[arg(long, value_name = "TAG")]
    locale: Option<Locale>,
    /// Use this time zone, such as Asia/Tokyo
    #[arg(long, value_name = "ZONE")]
    timezone: Option<TimeZone>,
    /// Be at this place, which pages may ask for
    #[arg(long, value_name = "LAT,LON[,ACCURACY]", allow_hyphen_values = true)]
    geolocation: Option<Geolocation>,
    /// Have no network
    #[arg(long)]
    offline: bool,
    /// Have a slow network, or one with this rate in kilobits per second and this latency in
    /// milliseconds
    #[arg(long, value_name = "slow|RATE,LATENCY")]
    network: Option<NetworkSpeed>,
    /// Have a processor that is this many times slower
    #[arg(long, value_name = "TIMES")]
    cpu: Option<CpuSlowdown>,
    /// Send this user agent
    #[arg(long, value_name = "TEXT")]
    user_agent: Option<UserAgent>,
}

impl EmulationArguments {
    /// Returns the conditions.
    pub(crate) fn emulation(&self) -> Emulation {
        let given = self.clone();
        Emulation {
            device: given.device,
            color_scheme: given.color_scheme,
            reduced_motion: given.reduced_motion.then_some(true),
            contrast: given.contrast,
            forced_colors: given.forced_colors.then_some(true),
            media: given.media,
            locale: given.locale,
            timezone: given.timezone,
            geolocation: given.geolocation,
            offline: given.offline.then_some(true),
            network: given.network,
            cpu: given.cpu,
            user_agent: given.user_agent,
        }
    }

    /// Returns the first flag that was given.
    pub(crate) fn first_flag(&self) -> Option<String> {
        let given = serde_json::to_value(self.emulation()).ok()?;
        let name = given.as_object()?.keys().next()?;
        Some(format!("--{}", name.replace('_', "-")))
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};

    use super::*;
    use crate::cli::usage_error::sentence;

    fn read(line: &[&str]) -> Result<EmulationArguments, String> {
        let command = Command::new("x").arg(clap::arg!(--viewport <SIZE>));
        let words = ["x"].iter().chain(line);
        let matches = EmulationArguments::augment_args(command).try_get_matches_from(words);
        let matches = matches.map_err(|error| sentence(&error).unwrap_or_default())?;
        Ok(EmulationArguments::from_arg_matches(&matches).unwrap())
    }

    #[test]
    fn every_condition_has_a_flag() {
        let all = read(&[
            "--device",
            "pixel-9",
            "--color-scheme",
            "dark",
            "--reduced-motion",
            "--contrast",
            "more",
            "--forced-colors",
            "--media",
            "print",
            "--locale",
            "de-DE",
            "--timezone",
            "Asia/Tokyo",
            "--geolocation",
            "-35.68,139.77",
            "--offline",
            "--network",
            "slow",
            "--cpu",
            "4",
            "--user-agent",
            "Bot/1",
        ]);
        let all = all.unwrap();
        let written = serde_json::to_value(all.emulation()).unwrap();
        // A new condition needs a flag, too.
        assert_eq!(written.as_object().unwrap().len(), 13, "{written}");
        assert_eq!(written["geolocation"], "-35.68,139.77");
        assert_eq!(all.first_flag().as_deref(), Some("--device"));
        assert_eq!(
            read(&["--color-scheme", "dark"]).unwrap().first_flag().unwrap(),
            "--color-scheme"
        );
        assert!(read(&[]).unwrap().emulation().is_empty());
    }

    #[test]
    fn every_wrong_value_is_one_sentence() {
        for (line, says) in [
            (
                &["--color-scheme", "blue"][..],
                "--color-scheme: \"blue\" cannot be used; give dark or light",
            ),
            (&["--color-scheme"], "--color-scheme needs a value"),
            (&["--device", "nokia"], "--device: \"nokia\" cannot be used; give one of iphone-se"),
            (
                &["--device", "pixel-9", "--viewport", "1x1"],
                "--device cannot be used with --viewport",
            ),
            (&["--device", "pixel-9", "--device", "ipad"], "--device is given twice"),
            (&["--offline", "--offline"], "--offline is given twice"),
            (&["--cpu", "0"], "--cpu: \"0\" cannot be used; give how many times slower"),
            (&["--geolocation", "north"], "--geolocation: \"north\" cannot be used; give latitude"),
            (&["--user-agent", ""], "--user-agent: \"\" cannot be used; give 1 to 500"),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.starts_with(says) && !error.contains('\n'), "{line:?}: {error}");
        }
    }
}
