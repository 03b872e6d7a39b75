//! The values of generated rows, written as people of several countries write them, with what they
//! mean.

use crate::random::Random;

/// How a country writes numbers and dates.
pub struct Country {
    pub lang: &'static str,
    /// Between groups of three digits, and before the fraction.
    marks: (&'static str, &'static str),
    /// Amounts, with `#` for the number.
    money: &'static str,
    /// Dates: `y`, `M` and `D` with two digits, `m` and `d`, `N` for the name of the month.
    dates: &'static [&'static str],
    months: &'static str,
}

const ENGLISH: &str = "January February March April May June July August September October \
    November December";

pub const COUNTRIES: [Country; 12] = [
    Country {
        lang: "en-US",
        marks: (",", "."),
        money: "$#",
        dates: &["m/d/y", "N d, y", "y-M-D"],
        months: ENGLISH,
    },
    Country {
        lang: "en-GB",
        marks: (",", "."),
        money: "£#",
        dates: &["D/M/y", "d N y"],
        months: ENGLISH,
    },
    Country {
        lang: "de",
        marks: (".", ","),
        money: "# €",
        dates: &["D.M.y", "d. N y"],
        months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    },
    Country {
        lang: "de-CH",
        marks: ("’", "."),
        money: "CHF #",
        dates: &["D.M.y"],
        months: ENGLISH,
    },
    Country {
        lang: "fr-FR",
        marks: ("\u{202f}", ","),
        money: "# €",
        dates: &["D/M/y", "d N y"],
        months: "janvier février mars avril mai juin juillet août septembre octobre novembre \
            décembre",
    },
    Country {
        lang: "es",
        marks: (".", ","),
        money: "# €",
        dates: &["d/m/y", "d de N de y"],
        months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre \
            diciembre",
    },
    Country {
        lang: "it",
        marks: (".", ","),
        money: "€ #",
        dates: &["D/M/y", "d N y"],
        months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre \
            novembre dicembre",
    },
    Country {
        lang: "pt-BR",
        marks: (".", ","),
        money: "R$ #",
        dates: &["D/M/y", "d de N de y"],
        months: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro \
            dezembro",
    },
    Country {
        lang: "sv",
        marks: ("\u{a0}", ","),
        money: "# kr",
        dates: &["y-M-D", "d N y"],
        months: "januari februari mars april maj juni juli augusti september oktober november \
            december",
    },
    Country {
        lang: "pl",
        marks: ("\u{a0}", ","),
        money: "# zł",
        dates: &["D.M.y", "d N y"],
        months: "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października \
            listopada grudnia",
    },
    Country {
        lang: "ja",
        marks: (",", "."),
        money: "¥#",
        dates: &["y/M/D", "y年m月d日"],
        months: ENGLISH,
    },
    Country {
        lang: "en-IN",
        marks: (",", "."),
        money: "₹#",
        dates: &["D-M-y", "d N y"],
        months: ENGLISH,
    },
];

/// The meaning of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// A number, in hundredths.
    Number(i64),
    /// A date, as `2024-03-14`.
    Date(String),
    /// A duration, in milliseconds.
    Duration(i64),
    /// A text, or nothing.
    Text,
}

/// A cell of a generated row.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its HTML.
    pub html: String,
    /// The text that people read.
    pub text: String,
    pub meaning: Meaning,
}

impl Cell {
    /// A cell with nothing but a text.
    pub fn plain(text: impl Into<String>) -> Cell {
        let text = text.into();
        Cell { html: escaped(&text), text, meaning: Meaning::Text }
    }

    /// A cell whose HTML reads as a text.
    fn odd(html: &str, text: &str) -> Cell {
        Cell { html: html.to_owned(), text: text.to_owned(), meaning: Meaning::Text }
    }

    fn meaning(text: String, meaning: Meaning) -> Cell {
        Cell { meaning, ..Cell::plain(text) }
    }

    /// Whether people read nothing in it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// Returns a text as HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// The columns of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Name,
    State,
    Amount,
    Share,
    Count,
    Due,
    Took,
    Note,
}

pub const KINDS: [Kind; 8] = [
    Kind::Name,
    Kind::State,
    Kind::Amount,
    Kind::Share,
    Kind::Count,
    Kind::Due,
    Kind::Took,
    Kind::Note,
];

impl Kind {
    /// Returns a head for the column.
    pub fn head(self, random: &mut Random) -> &'static str {
        let heads: &[&str] = match self {
            Kind::Name => &["Name", "Customer", "Title", "Konto", "Project & owner"],
            Kind::State => &["State", "Status", "Zustand"],
            Kind::Amount => &["Amount", "Betrag (netto)", "Total", "Price"],
            Kind::Share => &["Share", "% done", "Anteil"],
            Kind::Count => &["Count", "Items", "No. of seats"],
            Kind::Due => &["Due", "Date", "Fällig am"],
            Kind::Took => &["Took", "Duration"],
            Kind::Note => &["Note", "Remarks · other", "Text = raw"],
        };
        heads[random.below(heads.len())]
    }
}

const GIVEN: [&str; 24] = [
    "Apollo",
    "Gemini",
    "Müller",
    "Zoë",
    "O’Neill",
    "Łukasz",
    "Ngô",
    "İpek",
    "שלום",
    "مرحبا",
    "山田",
    "Ωmega",
    "Ann-Marie",
    "d'Arc",
    "Xi",
    "Ñandú",
    "Æsir",
    "Ó Briain",
    "7even",
    "C++",
    "Q&A",
    "Søren",
    "Élan",
    "Ivan",
];
const FAMILY: [&str; 10] =
    ["Ltd", "Smith", "Bros.", "GmbH", "& Sons", "S.A.", "Jr.", "Nguyen", "Weber", "株式会社"];
const STATES: [&str; 6] = ["open", "failed", "On hold", "paid", "Überfällig", "in review"];

/// Texts that are hard to read right, as HTML and as people read them.
const ODD: [(&str, &str); 40] = [
    ("A &amp; B", "A & B"),
    ("line one<br>line two", "line one line two"),
    ("<b>bold</b>ly", "boldly"),
    ("a<span> b</span>", "a b"),
    ("x<sup>2</sup> + y<sub>i</sub>", "x2 + yi"),
    ("<p>para</p><p>two</p>", "para two"),
    ("  spaced \n\t out ", "spaced out"),
    ("10&nbsp;km", "10 km"),
    ("a · b", "a · b"),
    ("[12]", "[12]"),
    ("… 3 more rows", "… 3 more rows"),
    ("=1+1", "=1+1"),
    ("-5 °C", "-5 °C"),
    ("&quot;quoted&quot;, with comma", "\"quoted\", with comma"),
    ("“curly” ‘quotes’", "“curly” ‘quotes’"),
    ("a | b \\ c", "a | b \\ c"),
    ("<code>if (x &lt; 3)</code>", "if (x < 3)"),
    ("<abbr title=\"for example\">e.g.</abbr> this", "e.g. this"),
    ("<s>old</s> new", "old new"),
    ("<span style=\"display:none\">hidden</span>seen", "seen"),
    ("<span style=\"visibility:hidden\">gone</span>there", "there"),
    ("<span hidden>no</span>yes", "yes"),
    ("one<!-- two -->three", "onethree"),
    ("<script>var a = 1</script>text", "text"),
    ("<template>not</template>shown", "shown"),
    ("<em>nested <strong>deep <i>deeper</i></strong></em>!", "nested deep deeper!"),
    ("<div>block</div>after", "block after"),
    ("<ul><li>one</li><li>two</li></ul>", "one two"),
    ("emoji 👩‍👩‍👧 end", "emoji 👩‍👩‍👧 end"),
    ("columns: A · B", "columns: A · B"),
    ("footer: x", "footer: x"),
    ("multi<wbr>word", "multiword"),
    ("<pre>two\nlines</pre>", "two lines"),
    ("1.2.3", "1.2.3"),
    ("n/a", "n/a"),
    ("-", "-"),
    ("<time>6 May</time>", "6 May"),
    ("<bdi>name</bdi> (2)", "name (2)"),
    ("<details><summary>More</summary>inside</details>", "More"),
    ("<font color=gray>old</font> <tt>markup</tt>", "old markup"),
];

/// Returns a cell with a text that is hard to read right.
pub fn odd(random: &mut Random) -> Cell {
    let (html, text) = ODD[random.below(ODD.len())];
    Cell::odd(html, text)
}

impl Country {
    /// Returns a whole number with marks between its groups.
    fn grouped(&self, number: i64) -> String {
        let digits = number.abs().to_string();
        let mut out = String::new();
        for (at, digit) in digits.chars().enumerate() {
            let left = digits.len() - at;
            // In India the last group has three digits, and the others have two.
            let begins = match self.lang {
                "en-IN" => left == 3 || left > 3 && left % 2 == 1,
                _ => left.is_multiple_of(3),
            };
            if at > 0 && begins {
                out.push_str(self.marks.0);
            }
            out.push(digit);
        }
        if number < 0 { format!("-{out}") } else { out }
    }

    fn hundredths(&self, number: i64) -> String {
        let sign = if number < 0 && number > -100 { "-" } else { "" };
        format!("{sign}{}{}{:02}", self.grouped(number / 100), self.marks.1, number.abs() % 100)
    }

    fn date(&self, form: &str, year: usize, month: usize, day: usize) -> String {
        let name = self.months.split_whitespace().nth(month - 1).unwrap_or_default();
        let mut out = String::new();
        let mut rest = form;
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            match c {
                'd' if rest.starts_with("e ") => out.push(c),
                'y' => out.push_str(&year.to_string()),
                'M' => out.push_str(&format!("{month:02}")),
                'D' => out.push_str(&format!("{day:02}")),
                'm' => out.push_str(&month.to_string()),
                'd' => out.push_str(&day.to_string()),
                'N' => out.push_str(name),
                c => out.push(c),
            }
        }
        out
    }
}

/// The forms that the cells of one table have in common.
pub struct Records {
    pub country: &'static Country,
    date: &'static str,
    cents: bool,
    clock: bool,
    made: usize,
}

impl Records {
    /// Chooses the forms.
    pub fn new(random: &mut Random) -> Records {
        let country = &COUNTRIES[random.below(COUNTRIES.len())];
        Records {
            country,
            date: country.dates[random.below(country.dates.len())],
            cents: random.percent(70),
            clock: random.percent(40),
            made: 0,
        }
    }

    /// Returns the number of the next record, from which a name gets unique.
    pub fn begin(&mut self) {
        self.made += 1;
    }

    /// Returns a cell of the current record. Names are never empty, and no two are equal.
    pub fn cell(&self, kind: Kind, random: &mut Random) -> Cell {
        let country = self.country;
        if kind != Kind::Name && random.percent(6) {
            return Cell::plain("");
        }
        match kind {
            Kind::Name => {
                let given = GIVEN[random.below(GIVEN.len())];
                let family = FAMILY[random.below(FAMILY.len())];
                Cell::plain(format!("{given} {family} {}", self.made))
            }
            Kind::State => Cell::plain(STATES[random.below(STATES.len())]),
            Kind::Amount => {
                let most = if random.percent(30) { 90 } else { 900_000 };
                let mut amount = random.below(most) as i64 * if self.cents { 1 } else { 100 };
                if random.percent(10) {
                    amount = -amount;
                }
                let number = match self.cents {
                    true => country.hundredths(amount),
                    false => country.grouped(amount / 100),
                };
                let text = country.money.replace('#', number.trim_start_matches('-'));
                let text = if amount < 0 { format!("-{text}") } else { text };
                Cell::meaning(text, Meaning::Number(amount))
            }
            Kind::Share => {
                let share = random.below(1_001) as i64;
                let text = format!("{}{}{} %", share / 10, country.marks.1, share % 10);
                Cell::meaning(text, Meaning::Number(share * 10))
            }
            Kind::Count => {
                let most = if random.percent(50) { 100 } else { 50_000 };
                let count = random.below(most) as i64;
                Cell::meaning(country.grouped(count), Meaning::Number(count * 100))
            }
            Kind::Due => {
                let (year, month, day) =
                    (2019 + random.below(8), 1 + random.below(12), 1 + random.below(28));
                let text = country.date(self.date, year, month, day);
                Cell::meaning(text, Meaning::Date(format!("{year}-{month:02}-{day:02}")))
            }
            Kind::Took => {
                let minutes = 1 + random.below(600) as i64;
                let text = match (self.clock, minutes) {
                    (true, _) => format!("{}:{:02}:00", minutes / 60, minutes % 60),
                    (false, ..60) => format!("{minutes} min"),
                    (false, _) => format!("{}h {}m", minutes / 60, minutes % 60),
                };
                Cell::meaning(text, Meaning::Duration(minutes * 60_000))
            }
            Kind::Note if random.percent(50) => odd(random),
            Kind::Note => Cell::plain(format!("note {}", random.below(100))),
        }
    }
}
