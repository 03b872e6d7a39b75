//! Distances and names of colours, as people see them.

/// Colours that are nearer than this look alike. A distance of 1 is that of black and white.
const ALIKE: f32 = 0.02;

/// Reads a colour as it is stored: `#rrggbb` or `#rrggbbaa`.
fn read(text: &str) -> Option<[f32; 4]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.is_ascii())?;
    let part = |at: usize| {
        let pair = digits.get(at..at + 2)?;
        u8::from_str_radix(pair, 16).ok().map(|value| f32::from(value) / 255.0)
    };
    match digits.len() {
        6 => Some([part(0)?, part(2)?, part(4)?, 1.0]),
        8 => Some([part(0)?, part(2)?, part(4)?, part(6)?]),
        _ => None,
    }
}

/// Turns sRGB into Oklab, in which distances are as people see them.
fn oklab([red, green, blue, _]: [f32; 4]) -> [f32; 3] {
    let linear = |part: f32| {
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let (r, g, b) = (linear(red), linear(green), linear(blue));
    let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

/// Returns whether two colours look the same to everybody.
pub(super) fn is_alike(one: &str, other: &str) -> bool {
    let (Some(one), Some(other)) = (read(one), read(other)) else { return false };
    let [a, b] = [oklab(one), oklab(other)];
    let apart = (0..3).map(|at| (a[at] - b[at]).powi(2)).sum::<f32>().sqrt();
    apart < ALIKE && (one[3] - other[3]).abs() < 0.05
}

/// Returns a value with the name of its colour: `#d32f2f (red)`.
pub(super) fn named(text: &str) -> String {
    match read(text) {
        Some(color) => format!("{text} ({})", name(color)),
        None => text.to_owned(),
    }
}

fn name(color: [f32; 4]) -> &'static str {
    let [light, green_red, blue_yellow] = oklab(color);
    let chroma = green_red.hypot(blue_yellow);
    if chroma < 0.035 {
        return match light {
            light if light < 0.2 => "black",
            light if light > 0.96 => "white",
            _ => "grey",
        };
    }
    let hue = blue_yellow.atan2(green_red).to_degrees().rem_euclid(360.0);
    match hue {
        hue if hue < 15.0 => "pink",
        hue if hue < 45.0 => "red",
        hue if hue < 80.0 => "orange",
        hue if hue < 115.0 => "yellow",
        hue if hue < 165.0 => "green",
        hue if hue < 215.0 => "turquoise",
        hue if hue < 285.0 => "blue",
        hue if hue < 325.0 => "purple",
        _ => "pink",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_the_names_that_people_give_them() {
        for (color, expected) in [
            ("#000000", "black"),
            ("#ffffff", "white"),
            ("#808080", "grey"),
            ("#ff0000", "red"),
            ("#d32f2f", "red"),
            ("#ff9800", "orange"),
            ("#ffeb3b", "yellow"),
            ("#008000", "green"),
            ("#4caf50", "green"),
            ("#1976d2", "blue"),
            ("#0000ff", "blue"),
            ("#9c27b0", "purple"),
            ("#ff69b4", "pink"),
        ] {
            assert_eq!(name(read(color).unwrap()), expected, "{color}");
        }
    }

    #[test]
    fn only_colours_that_look_the_same_are_alike() {
        assert!(is_alike("#333333", "#343434") && is_alike("#1976d2", "#1a76d2"));
        for (one, other) in [
            ("#1976d2", "#d32f2f"),
            ("#333333", "#555555"),
            ("#ff0000", "#ff000080"),
            ("#ffffff", "#eeeeee"),
            ("#000000", "linear-gradient(red, blue)"),
        ] {
            assert!(!is_alike(one, other), "{one} {other}");
        }
    }
}
