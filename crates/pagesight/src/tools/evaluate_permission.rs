//! Whether `browser_evaluate` is offered, and for which expressions.

use clap::ValueEnum;
use pagesight_session::{Engine, Hint, Options, Session};

/// The value of `--allow-evaluate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AllowEvaluate {
    /// Any JavaScript; the flag without a value.
    #[value(hide = true)]
    All,
    /// Expressions that only read (Chromium); the default in a browser that has nothing of yours
    Read,
}

/// The expressions that `browser_evaluate` takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EvaluatePermission {
    #[default]
    Off,
    /// Those that only read, because the browser holds nothing of the user's.
    ReadByDefault,
    /// Those that only read.
    Read,
    All,
}

/// `browser_evaluate` cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EvaluateRefused {
    #[error(
        "--allow-evaluate=read: Firefox cannot check that an expression only reads; give --allow-evaluate, which allows any JavaScript, or use Chromium"
    )]
    Firefox,
    #[error(
        "expressions are off, because the browser may hold something of the user's, or is Firefox"
    )]
    Off,
    #[error("expressions are off, because a person has used a tab of this workspace")]
    Person,
}

impl EvaluateRefused {
    /// Returns what to do next, unless the message says it.
    pub(crate) fn hint(&self) -> Option<Hint> {
        (*self != EvaluateRefused::Firefox).then_some(Hint::AllowEvaluate)
    }
}

impl EvaluatePermission {
    /// Returns the permission that a flag gives in a browser with these options.
    pub(crate) fn new(
        given: Option<AllowEvaluate>,
        options: &Options,
    ) -> Result<EvaluatePermission, EvaluateRefused> {
        let firefox = options.connect.is_none() && options.launch.engine == Engine::Firefox;
        match given {
            Some(AllowEvaluate::All) => Ok(EvaluatePermission::All),
            Some(AllowEvaluate::Read) if firefox => Err(EvaluateRefused::Firefox),
            Some(AllowEvaluate::Read) => Ok(EvaluatePermission::Read),
            None if !firefox && options.holds_nothing_of_the_user() => {
                Ok(EvaluatePermission::ReadByDefault)
            }
            None => Ok(EvaluatePermission::Off),
        }
    }

    /// Fails if no expression may be evaluated in a session now.
    pub(crate) fn check(self, session: &Session) -> Result<(), EvaluateRefused> {
        match self {
            EvaluatePermission::Off => Err(EvaluateRefused::Off),
            EvaluatePermission::ReadByDefault if session.had_person() => {
                Err(EvaluateRefused::Person)
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use pagesight_session::LaunchOptions;

    use super::*;

    fn of(given: Option<AllowEvaluate>, options: &Options) -> EvaluatePermission {
        EvaluatePermission::new(given, options).unwrap()
    }

    #[test]
    fn reading_is_on_by_default_only_where_nothing_is_the_users() {
        let plain = Options::default;
        assert_eq!(of(None, &plain()), EvaluatePermission::ReadByDefault);
        let profile = LaunchOptions { profile: Some("p".into()), ..LaunchOptions::default() };
        let firefox = LaunchOptions { engine: Engine::Firefox, ..LaunchOptions::default() };
        for options in [
            Options { connect: Some("auto".to_owned()), ..plain() },
            Options { launch: profile, ..plain() },
            Options { launch: firefox.clone(), ..plain() },
            Options { state: Some(Default::default()), ..plain() },
            Options { allow_file: true, ..plain() },
        ] {
            assert_eq!(of(None, &options), EvaluatePermission::Off, "{options:?}");
            assert_eq!(of(Some(AllowEvaluate::All), &options), EvaluatePermission::All);
        }
        let given = Some(AllowEvaluate::Read);
        assert_eq!(of(given, &plain()), EvaluatePermission::Read);
        let firefox = Options { launch: firefox, ..plain() };
        assert_eq!(EvaluatePermission::new(given, &firefox), Err(EvaluateRefused::Firefox));
    }

    #[tokio::test]
    async fn a_person_switches_the_default_off() {
        let session = Session::new(Options::default());
        let (default, given) = (EvaluatePermission::ReadByDefault, EvaluatePermission::Read);
        assert_eq!(default.check(&session), Ok(()));
        session.person_takes_over();
        assert_eq!(default.check(&session), Err(EvaluateRefused::Person));
        assert_eq!(given.check(&session), Ok(()));
        assert_eq!(EvaluatePermission::Off.check(&session), Err(EvaluateRefused::Off));
    }
}
