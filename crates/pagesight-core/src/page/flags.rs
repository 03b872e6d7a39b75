//! The state of a captured node, as bit flags, and the reason why a node is hidden. The bits are
//! the page script's; `page/README.md` lists them.

use bitflags::bitflags;

bitflags! {
    /// The state of a node. Bits 24 to 26 are the reason why it is hidden ([`Hidden`]).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Flags: u32 {
        /// A person could use it.
        const USABLE = 1;
        /// Ends the line of text around it.
        const BLOCK = 1 << 1;
        /// A scroll container with more content than it shows.
        const SCROLLS = 1 << 2;
        /// Hosts a shadow root.
        const HOST = 1 << 3;
        /// `aria-hidden`, its own or inherited.
        const ARIA_HIDDEN = 1 << 4;
        /// Its name comes from its content.
        const NAMED_BY_CONTENT = 1 << 5;
        /// A password, a one-time code or a card field.
        const SECRET = 1 << 6;
        /// A live region: `aria-live` or a role that implies it.
        const LIVE = 1 << 7;
        /// Checked: the property of an input, or `aria-checked`.
        const CHECKED = 1 << 8;
        /// Neither checked nor unchecked.
        const MIXED = 1 << 9;
        /// Disabled itself or by a container, or `aria-disabled`. Inert elements are not disabled.
        const DISABLED = 1 << 10;
        /// Shows what it controls; an open `details`.
        const EXPANDED = 1 << 11;
        /// Could be expanded, but is not.
        const COLLAPSED = 1 << 12;
        /// Selected in a list, a tab list, a grid or a tree.
        const SELECTED = 1 << 13;
        /// A toggle button that is on.
        const PRESSED = 1 << 14;
        /// Must be filled in before its form is sent.
        const REQUIRED = 1 << 15;
        /// Failed its validation, by constraint or by `aria-invalid`.
        const INVALID = 1 << 16;
        /// Its value cannot be edited, but it can have the focus.
        const READONLY = 1 << 17;
        /// Has the keyboard focus.
        const FOCUSED = 1 << 18;
        /// A modal dialog; the rest of the page cannot be used.
        const MODAL = 1 << 19;
        /// `aria-busy`: its content is still to come.
        const BUSY = 1 << 20;
        /// Cannot be scrolled to.
        const UNREACHABLE = 1 << 21;
        /// At least a part of it lies in the viewport.
        const IN_VIEWPORT = 1 << 22;
        /// A text that nobody can see; its words stay in the page.
        const WITHHELD = 1 << 23;
        /// Takes no input because of `inert`, its own or inherited.
        const INERT = 1 << 27;
        /// Something opaque covers all of it; set only by a full capture.
        const OBSCURED = 1 << 28;
        /// The gutter of a code editor or listing: line numbers and fold marks.
        const GUTTER = 1 << 29;
        /// Usable, but transparent, and nothing is drawn in its place.
        const INVISIBLE = 1 << 30;
        /// Takes no input while a modal dialog is open that it is not in. The page script does not
        /// send it; see [`Page::block_behind_dialogs`](super::Page::block_behind_dialogs).
        const BLOCKED = 1 << 31;
    }
}

/// Why an element is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hidden {
    /// `display: none`, its own or an ancestor's.
    Display,
    /// `visibility: hidden`.
    Visibility,
    /// `content-visibility`, or inside closed `details`.
    Content,
    /// No area, or clipped away.
    Clipped,
    /// Outside of the area that can be scrolled to.
    OffScreen,
    /// `opacity: 0`.
    Opacity,
    /// A closed dialog or popover.
    Closed,
}

impl Hidden {
    /// Reads the reason from bits 24 to 26 of the page script's flags.
    pub fn from_bits(flags: u32) -> Option<Hidden> {
        match (flags >> 24) & 0x7 {
            1 => Some(Hidden::Display),
            2 => Some(Hidden::Visibility),
            3 => Some(Hidden::Content),
            4 => Some(Hidden::Clipped),
            5 => Some(Hidden::OffScreen),
            6 => Some(Hidden::Opacity),
            7 => Some(Hidden::Closed),
            _ => None,
        }
    }
}
