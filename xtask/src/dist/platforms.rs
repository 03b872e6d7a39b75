//! The platforms that packages are made for, and how each package format names them.

#[derive(Debug, Clone, Copy)]
pub struct Platform {
    /// The target triple of Rust.
    pub target: &'static str,
    /// `os` of npm; with `cpu`, it names the package of the platform.
    pub os: &'static str,
    pub cpu: &'static str,
    /// `libc` of npm. A static program runs with any.
    pub libc: &'static [&'static str],
    /// The platform tags of a wheel.
    pub wheel_tags: &'static [&'static str],
}

/// Every platform. The Linux programs are static, so one serves old systems and both libcs. Only
/// the first was ever run; the others are built by the release workflow. Windows is missing,
/// because the program was never run there.
pub const PLATFORMS: [Platform; 4] = [
    Platform {
        target: "x86_64-unknown-linux-musl",
        os: "linux",
        cpu: "x64",
        libc: &["glibc", "musl"],
        wheel_tags: &["manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"],
    },
    Platform {
        target: "aarch64-unknown-linux-musl",
        os: "linux",
        cpu: "arm64",
        libc: &["glibc", "musl"],
        wheel_tags: &["manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"],
    },
    Platform {
        target: "x86_64-apple-darwin",
        os: "darwin",
        cpu: "x64",
        libc: &[],
        wheel_tags: &["macosx_10_12_x86_64"],
    },
    Platform {
        target: "aarch64-apple-darwin",
        os: "darwin",
        cpu: "arm64",
        libc: &[],
        wheel_tags: &["macosx_11_0_arm64"],
    },
];

impl Platform {
    /// The name of the platform in npm packages and bundles.
    pub fn short_name(&self) -> String {
        format!("{}-{}", self.os, self.cpu)
    }

    /// The name of the npm package with the program.
    pub fn npm_package(&self) -> String {
        format!("@pagesight/{}", self.short_name())
    }
}
