//! Tasks with forms: registering, logging in, wizards, settings, choices that depend on each other.

use anyhow::Context;

use super::Task;
use super::agent::TaskAgent;

pub const TASKS: &[Task] = &[
    Task {
        name: "register, with validation",
        page: r#"<h1>Register</h1><p>Task: register NAME, then type the code that is given out.</p><form onsubmit="return false" novalidate><label>Full name <input id=n></label><div id=en></div><label>Mail <input id=m></label><div id=em></div><label>Phone <input id=p></label><div id=ep></div><label><input type=checkbox id=t> I agree to the terms</label><div id=et></div><button id=go>Register</button></form><div id=out></div><script>
const who = name(), code = `${int(1000, 9999)}`; $('main p').textContent = `Task: register ${who}, then type the code that is given out.`;
on('#go', 'click', () => { const errors = { n: $('#n').value === who ? '' : 'Name is missing', m: /@/.test($('#m').value) ? '' : 'Mail needs an @', p: /^\d\d\d-\d\d\d\d$/.test($('#p').value) ? '' : 'Phone has the form 555-0000', t: $('#t').checked ? '' : 'Terms have to be accepted' };
  for (const key in errors) { $(`#e${key}`).innerHTML = errors[key] ? `<p role=alert>${errors[key]}</p>` : ''; $(`#${key}`).setAttribute('aria-invalid', !!errors[key]) }
  if (Object.values(errors).some(Boolean)) return; $('#out').innerHTML = `<p role=status>Welcome! Your code is ${code}.</p><label>Code <input id=c></label><button id=ok>Confirm</button>`;
  on('#ok', 'click', () => { if ($('#c').value === code) { $('#out').innerHTML = '<p>Account opened</p>'; solved() } }) })</script>"#,
        solve: |agent| Box::pin(register(agent)),
    },
    Task {
        name: "log in, second factor",
        page: r#"<h1>Log in</h1><p>Task: log in as guest with the password that the hint gives.</p><form onsubmit="return false"><label>User <input id=u></label><label>Password <input type=password id=p></label><button id=go>Log in</button><button type=button id=hint>Hint</button></form><div id=out></div><script>
const word = name(), pin = `${int(100000, 999999)}`; on('#hint', 'click', () => ($('#out').innerHTML = `<p>The password is ${word}</p>`));
on('#go', 'click', async () => { await late(100); if ($('#u').value !== 'guest' || $('#p').value !== word) { $('#out').innerHTML = '<p role=alert>Wrong user or password</p>'; return }
  $('form').outerHTML = ''; $('#out').innerHTML = `<p>We sent you a number. It is ${pin}</p><label>Number <input id=n></label><button id=ok>Check</button>`;
  on('#ok', 'click', () => { if ($('#n').value === pin) { $('#out').innerHTML = '<h2>Your account</h2><button id=end>Continue</button>'; on('#end', 'click', () => { $('#out').innerHTML = '<p>Good day</p>'; solved() }) } }) })</script>"#,
        solve: |agent| Box::pin(log_in(agent)),
    },
    Task {
        name: "wizard of four steps",
        page: r#"<h1>Order a cable</h1><p>Task: answer each step as it says.</p><section aria-label=Steps id=step></section><script>
const wanted = times(4, name); let at = 0; const draw = () => { $('#step').innerHTML = at < 4 ? `<h2>Step ${at + 1} of 4</h2><p>Please enter ${wanted[at]} here.</p><label>Answer ${at + 1} <input id=a></label><button id=go>Continue</button>` : '<h2>Finished</h2>'; if (at < 4) on('#go', 'click', () => { if ($('#a').value === wanted[at]) { at++; draw(); if (at === 4) solved() } }) }; draw()</script>"#,
        solve: |agent| Box::pin(wizard(agent)),
    },
    Task {
        name: "settings that open further ones",
        page: r#"<h1>Settings</h1><p>Task: turn on Alerts, by Mail, Daily, and save.</p><button role=switch aria-checked=false id=a>Alerts</button><div id=more></div><button id=save>Save settings</button><div id=out></div><script>
on('#a', 'click', () => { $('#a').setAttribute('aria-checked', 'true'); $('#more').innerHTML = '<fieldset><legend>Feedback</legend><label><input type=radio name=w> Phone</label><label><input type=radio name=w id=m> Mail</label></fieldset><div id=often></div>';
  on('#m', 'change', () => { $('#often').innerHTML = '<fieldset><legend>How often</legend><label><input type=radio name=h> Hourly</label><label><input type=radio name=h id=d> Daily</label></fieldset>' }) });
on('#save', 'click', () => { if ($('#d')?.checked) { $('#out').innerHTML = '<p role=status>Settings saved</p>'; solved() } else $('#out').innerHTML = '<p role=alert>Nothing chosen</p>' })</script>"#,
        solve: |agent| Box::pin(settings(agent)),
    },
    Task {
        name: "selects that depend on each other",
        page: r#"<h1>Where to?</h1><p id=task></p><label>Country <select id=a></select></label><label>Region <select id=b disabled></select></label><label>Town <select id=c disabled></select></label><button id=go disabled>Show the branch</button><div id=out></div><script>
const three = times(3, () => times(3, name)), want = [int(0, 2), int(0, 2), int(0, 2)]; $('#task').textContent = `Task: find the branch in ${want.map((at, level) => three[level][at]).join(' / ')} and call it.`;
const fill = (id, level) => { $(id).innerHTML = '<option>Choose…</option>' + three[level].map((one) => `<option>${one}</option>`).join(''); $(id).disabled = false }; fill('#a', 0);
on('#a', 'change', () => fill('#b', 1)); on('#b', 'change', () => fill('#c', 2)); on('#c', 'change', () => ($('#go').disabled = false));
on('#go', 'click', () => { const right = [$('#a'), $('#b'), $('#c')].every((list, level) => list.value === three[level][want[level]]); $('#out').innerHTML = right ? '<h2>The branch</h2><button id=call>Call it</button>' : '<p>None</p>'; if (right) on('#call', 'click', () => { $('#call').textContent = 'Calling'; solved() }) })</script>"#,
        solve: |agent| Box::pin(selects(agent)),
    },
    Task {
        name: "quiz of five sums",
        page: r#"<h1>Quiz</h1><p>Task: answer five questions.</p><p id=q></p><label>Answer <input id=a></label><button id=go>Answer it</button><p id=right>0 right</p><script>
let a, b, right = 0; const ask = () => { a = int(2, 60); b = int(2, 60); $('#q').textContent = `What is ${a} plus ${b}?`; $('#a').value = '' }; ask();
on('#go', 'click', () => { if (+$('#a').value === a + b) right++; $('#right').textContent = `${right} right`; if (right === 5) { $('#q').textContent = 'Well done'; solved() } else ask() })</script>"#,
        solve: |agent| Box::pin(quiz(agent)),
    },
    Task {
        name: "chat for a code",
        page: r#"<h1>Support chat</h1><p>Task: ask for the code and send it back.</p><div role=log id=log aria-label=Conversation><p>Agent: How can I help?</p></div><label>Message <input id=m></label><button id=go>Send</button><script>
const code = `${name()}${int(10, 99)}`; const say = (text) => put('#log', `<p>${text}</p>`);
on('#go', 'click', async () => { const said = $('#m').value; $('#m').value = ''; say(`You: ${said}`); await late(150); if (/code/.test(said)) say(`Agent: the code is ${code} as always`); else if (said === code) { say('Agent: Right. Shall I close this?'); put('main', '<button id=yes>Yes, close it</button>'); on('#yes', 'click', () => { say('Closed'); solved() }) } else say('Agent: What?') })</script>"#,
        solve: |agent| Box::pin(chat(agent)),
    },
];

async fn register(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let who = agent.must("register ")?;
    agent.fill(&[("Full name", &who), ("Mail", &who), ("Phone", "5550000")], "Register").await?;
    // Only the page says what is wrong.
    let phone = agent.must("Phone has the form ")?;
    anyhow::ensure!(agent.line_with("Mail needs an @").is_some(), "the mail was not refused");
    let mail = format!("{who}@example.org");
    agent.fill(&[("Mail", &mail), ("Phone", &phone)], "Register").await?;
    if agent.line_with("Terms have to be accepted").is_some() {
        agent.click("checkbox", "I agree to the terms").await?;
        agent.click("button", "Register").await?;
    }
    let code = agent.must("Your code is ")?;
    agent.fill(&[("Code", &code)], "Confirm").await
}

async fn log_in(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    agent.click("button", "Hint").await?;
    let word = agent.must("The password is ")?;
    agent.fill(&[("User", "guest"), ("Password", &word)], "Log in").await?;
    let pin = agent.must("It is ")?;
    agent.fill(&[("Number", &pin)], "Check").await?;
    agent.click("button", "Continue").await
}

async fn wizard(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    for step in 1..=4 {
        let answer = agent.must("Please enter ")?;
        agent.fill(&[(&format!("Answer {step}"), &answer)], "Continue").await?;
    }
    Ok(())
}

async fn settings(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    agent.click("switch", "Alerts").await?;
    agent.click("radio", "Mail").await?;
    agent.click("radio", "Daily").await?;
    agent.click("button", "Save settings").await
}

async fn selects(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let line = agent.line_with("find the branch in ").context("no task")?;
    let names = line.split_once("branch in ").and_then(|(_, rest)| rest.split_once(" and call"));
    let names: Vec<String> = names.context("no names")?.0.split(" / ").map(str::to_owned).collect();
    for (list, value) in ["Country", "Region", "Town"].into_iter().zip(names) {
        let number = agent.field(list).await?;
        agent
            .act(serde_json::json!([{ "type": "select", "element": number, "values": [value] }]))
            .await?;
    }
    agent.click("button", "Show the branch").await?;
    agent.click("button", "Call it").await
}

async fn quiz(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    for _ in 0..5 {
        let line = agent.line_with("What is ").context("no question")?;
        let sum: u32 = line
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|part| part.parse::<u32>().ok())
            .sum();
        agent.fill(&[("Answer", &sum.to_string())], "Answer it").await?;
    }
    Ok(())
}

async fn chat(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    agent.fill(&[("Message", "Give me the code please")], "Send").await?;
    let code = agent.must("the code is ")?;
    agent.fill(&[("Message", &code)], "Send").await?;
    agent.click("button", "Yes, close it").await
}
