//! Writes a zip archive with file modes, which wheels need. Times are fixed, so the same input
//! gives the same bytes. gzip compresses: its format holds the same stream and checksum, and this
//! program is built without optimization, which would take minutes.

use std::path::Path;
use std::process::Command;

use anyhow::Context;

/// 1980-01-01, the first date of the format.
const DATE: u16 = 0x21;
/// The version of the format that deflate needs.
const VERSION: u16 = 20;
/// Made on Unix, which says that the upper half of the attributes is a file mode.
const MADE_BY: u16 = 0x0300 | VERSION;
const DEFLATED: u16 = 8;
const FLAGS: u16 = 0x0800;

/// What gzip writes before and after the stream. `-n` leaves out name and time.
const GZIP_HEADER: usize = 10;
const GZIP_TRAILER: usize = 8;

/// A zip archive in memory.
pub struct Zip<'a> {
    /// A folder for files on their way to gzip.
    work: &'a Path,
    bytes: Vec<u8>,
    directory: Vec<u8>,
    count: u16,
}

impl<'a> Zip<'a> {
    /// Returns an empty archive; `work` is a folder for temporary files.
    pub fn new(work: &'a Path) -> Zip<'a> {
        Zip { work, bytes: Vec::new(), directory: Vec::new(), count: 0 }
    }

    /// Adds a file with the permissions `mode`.
    pub fn add(&mut self, name: &str, contents: &[u8], mode: u32) -> anyhow::Result<()> {
        let (packed, checksum) = self.compress(contents)?;
        let offset = u32::try_from(self.bytes.len())?;
        let mut shared = Vec::new();
        for value in [VERSION, FLAGS, DEFLATED, 0, DATE] {
            shared.extend(value.to_le_bytes());
        }
        let sizes = [checksum, u32::try_from(packed.len())?, u32::try_from(contents.len())?];
        for value in sizes {
            shared.extend(value.to_le_bytes());
        }
        shared.extend(u16::try_from(name.len())?.to_le_bytes());
        shared.extend(0u16.to_le_bytes());

        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&shared);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(&packed);

        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(MADE_BY.to_le_bytes());
        self.directory.extend(&shared);
        // No comment, disk 0, no internal attributes; then a regular file with this mode.
        self.directory.extend([0; 6]);
        self.directory.extend(((0o100_000 | mode) << 16).to_le_bytes());
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.count += 1;
        Ok(())
    }

    /// Returns the compressed bytes and the checksum of the contents.
    fn compress(&self, contents: &[u8]) -> anyhow::Result<(Vec<u8>, u32)> {
        let file = self.work.join("to-compress");
        std::fs::write(&file, contents)?;
        let output = Command::new("gzip").args(["-6", "-n", "-c"]).arg(&file).output();
        let output = output.context("gzip cannot be started")?;
        std::fs::remove_file(&file)?;
        let messages = String::from_utf8_lossy(&output.stderr);
        anyhow::ensure!(output.status.success(), "gzip failed: {}", messages.trim());
        let (body, trailer) =
            output.stdout.split_last_chunk::<GZIP_TRAILER>().context("gzip wrote too little")?;
        let stream = body.get(GZIP_HEADER..).context("gzip wrote too little")?;
        let [a, b, c, d, ..] = *trailer;
        Ok((stream.to_vec(), u32::from_le_bytes([a, b, c, d])))
    }

    /// Ends the archive and returns its bytes.
    pub fn finish(mut self) -> anyhow::Result<Vec<u8>> {
        let start = u32::try_from(self.bytes.len())?;
        let length = u32::try_from(self.directory.len())?;
        self.bytes.extend(&self.directory);
        self.bytes.extend(b"PK\x05\x06");
        self.bytes.extend([0; 4]);
        for _ in 0..2 {
            self.bytes.extend(self.count.to_le_bytes());
        }
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(start.to_le_bytes());
        self.bytes.extend([0; 2]);
        Ok(self.bytes)
    }
}
