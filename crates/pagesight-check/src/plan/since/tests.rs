//! Checks which pages changes touch, in real repositories.

use super::*;
use crate::plan::Overrides;

const PLAN: &str = r#"
base_url = "http://a"
[[page]]
route = "/cart"
[[page]]
route = "/cart/full"
[[page]]
route = "/about"
[[route_map]]
files = ["src/cart/**"]
pages = ["cart*"]
[[route_map]]
files = ["docs/**", "*.md"]
pages = []
"#;

struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Repository {
        let repository = Repository(tempfile::tempdir().unwrap());
        repository.git(&["init", "-q", "-b", "main"]);
        repository.write("pages.toml", PLAN);
        repository.write("src/cart/a.ts", "1");
        repository.write("src/shared.ts", "1");
        repository.commit();
        repository
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@example.com"]);
        let status = command.args(arguments).current_dir(self.0.path()).status().unwrap();
        assert!(status.success(), "{arguments:?}");
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "x"]);
    }

    fn touched(&self, reference: &str) -> Touched {
        let path = self.0.path().join("pages.toml");
        let plan = Plan::read(&path, PLAN, &Overrides::default(), &|_| None).unwrap();
        touched(&plan, reference).unwrap()
    }
}

fn pages(names: &[&str]) -> Touched {
    Touched::Pages(names.iter().map(|name| (*name).to_owned()).collect())
}

#[test]
fn only_the_pages_of_changed_files_are_touched() {
    let repository = Repository::new();
    assert_eq!(repository.touched("main"), pages(&[]));
    repository.git(&["checkout", "-qb", "work"]);
    repository.write("src/cart/new file.ts", "1");
    assert_eq!(repository.touched("main"), pages(&["cart", "cart-full"]), "not added yet");
    repository.write("docs/x.txt", "1");
    repository.commit();
    assert_eq!(repository.touched("main"), pages(&["cart", "cart-full"]));
    // What happened on the other branch since then does not count.
    repository.git(&["checkout", "-q", "main"]);
    repository.write("src/shared.ts", "2");
    repository.commit();
    repository.git(&["checkout", "-q", "work"]);
    assert_eq!(repository.touched("main"), pages(&["cart", "cart-full"]));
    repository.git(&["reset", "-q", "--hard", "main~1"]);
    repository.write("pages.baselines/about@chromium-1280x720.json", "{}");
    assert_eq!(repository.touched("main"), pages(&["about"]));
    repository.git(&["mv", "src/cart/a.ts", "docs-a.md"]);
    assert_eq!(repository.touched("main"), pages(&["about", "cart", "cart-full"]), "its old name");
}

#[test]
fn what_cannot_be_known_means_all_pages() {
    let repository = Repository::new();
    let all = |reference: &str, says: &str| {
        let found = repository.touched(reference);
        assert!(matches!(&found, Touched::All(why) if why.contains(says)), "{found:?}");
    };
    all("no-such-branch", "git does not know \"no-such-branch\"");
    all("--output=x", "git does not know");
    repository.write("src/shared.ts", "2");
    all("main", "\"src/shared.ts\"");
    repository.write("src/shared.ts", "1");
    repository.write("pages.toml", &format!("{PLAN}\n"));
    all("main", "pages.toml changed");
}

#[test]
fn a_shallow_clone_means_all_pages() {
    let origin = Repository::new();
    origin.write("src/cart/a.ts", "2");
    origin.commit();
    let folder = tempfile::tempdir().unwrap();
    let url = format!("file://{}", origin.0.path().display());
    let clone = Repository(folder);
    clone.git(&["clone", "-q", "--depth", "1", &url, "."]);
    let found = clone.touched("main");
    assert!(matches!(&found, Touched::All(why) if why.contains("shallow clone")), "{found:?}");
    let none = Repository(tempfile::tempdir().unwrap());
    none.write("pages.toml", PLAN);
    let found = none.touched("main");
    assert!(
        matches!(&found, Touched::All(why) if why.contains("not a git repository")),
        "{found:?}"
    );
}

#[test]
fn a_map_is_needed() {
    let text = "[[page]]\nurl = \"http://a/\"\n";
    let plan = Plan::read(Path::new("pages.toml"), text, &Overrides::default(), &|_| None).unwrap();
    assert!(touched(&plan, "main").unwrap_err().to_string().contains("[[route_map]]"));
}
