//! Makes an agent of the name that was asked for: one that is built in, one of the config, or any
//! command. Whether its program is there is for others to say.

use std::{path::Path, sync::Arc};

use super::{
    AgentOptions, BUILT_IN, BuiltIn, ChooseError, ConfiguredAgent, DecoderName, Hired, Plain,
    PromptMode, SkipPermissions, Wishes, configured::MODEL, plain::PROMPT_FILE, script,
};

/// Chooses the agent that was asked for as `NAME` or `NAME:MODEL`. `this_program` is what plays
/// scripts.
pub fn choose(
    options: &AgentOptions,
    asked: &str,
    this_program: &Path,
) -> Result<Hired, ChooseError> {
    let name = asked.split(':').next().unwrap_or_default();
    if asked.split_once(':').is_some_and(|(_, model)| model.trim().is_empty()) {
        return Err(ChooseError::NoModel { asked: asked.to_owned() });
    }
    let mut wishes = options.wishes(asked);
    let is_own = options.asked() == Ok(Some(asked));
    if is_own && name != "command" && options.decoder.is_some() {
        return Err(not_taken(name, "`--decoder`"));
    }
    let plain = match (name, options.agents.get(name)) {
        (_, Some(table)) => {
            refuse(name, &mut wishes, is_own)?;
            configured(table, name, &wishes)?
        }
        ("command", None) => {
            refuse_model(name, &wishes)?;
            // It has no system prompt: such words stand before the prompt.
            let preface = wishes.append_system_prompt.take();
            refuse(name, &mut wishes, true)?;
            Plain { preface, ..command(options)? }
        }
        ("scripted", None) => {
            refuse_model(name, &wishes)?;
            refuse(name, &mut wishes, true)?;
            if !wishes.extra_args.is_empty() {
                return Err(not_taken(name, "arguments"));
            }
            scripted(options, this_program)?
        }
        (_, None) => {
            let agent = BuiltIn::named(name).and_then(BuiltIn::agent);
            let unknown = || ChooseError::Unknown { name: name.to_owned(), known: options.known() };
            return Ok(Hired { agent: agent.ok_or_else(unknown)?, wishes });
        }
    };
    if plain.argv.first().is_none_or(String::is_empty) {
        return Err(ChooseError::Empty { name: plain.name });
    }
    let has_place = plain.argv.iter().skip(1).any(|arg| arg.contains(PROMPT_FILE));
    if plain.mode == PromptMode::File && !has_place {
        return Err(ChooseError::NoPlaceForFile);
    }
    Ok(Hired { agent: Arc::new(plain), wishes })
}

impl AgentOptions {
    /// The names of all agents that can be asked for.
    pub fn known(&self) -> Vec<String> {
        let built_in = BUILT_IN.iter().map(|built_in| built_in.name.to_owned());
        self.agents.keys().cloned().chain(built_in).collect()
    }
}

/// A program that windlass knows nothing about has no flags for these. In another part than the
/// loop's own they may be meant for others.
fn refuse(name: &str, wishes: &mut Wishes, is_own: bool) -> Result<(), ChooseError> {
    if is_own && wishes.append_system_prompt.is_some() {
        return Err(not_taken(name, "`--append-system-prompt`"));
    }
    if is_own && wishes.skip_permissions.is_always() {
        return Err(not_taken(name, "`--skip-permissions`"));
    }
    wishes.append_system_prompt = None;
    wishes.skip_permissions = SkipPermissions::Never;
    Ok(())
}

fn refuse_model(name: &str, wishes: &Wishes) -> Result<(), ChooseError> {
    if wishes.model.is_some() { Err(not_taken(name, "model")) } else { Ok(()) }
}

fn not_taken(name: &str, what: &'static str) -> ChooseError {
    ChooseError::NotTaken { name: name.to_owned(), what }
}

fn command(options: &AgentOptions) -> Result<Plain, ChooseError> {
    let needs = ChooseError::Needs { name: "command".to_owned(), flag: "--command" };
    let command = options.command.as_ref().ok_or(needs)?;
    let argv = shell_words::split(command)
        .map_err(|_| ChooseError::UnclosedQuote { command: command.clone() })?;
    Ok(Plain {
        name: "command".to_owned(),
        argv,
        mode: options.prompt_mode.unwrap_or_default(),
        env: Vec::new(),
        decoder: options.decoder.unwrap_or_default(),
        preface: None,
        counts_sessions: false,
    })
}

fn scripted(options: &AgentOptions, this_program: &Path) -> Result<Plain, ChooseError> {
    let needs = ChooseError::Needs { name: "scripted".to_owned(), flag: "--script" };
    let script = options.script.as_ref().ok_or(needs)?;
    let program = this_program.to_string_lossy().into_owned();
    let role = script::PART.to_owned();
    Ok(Plain {
        name: "scripted".to_owned(),
        argv: vec![program, role, script.to_string_lossy().into_owned()],
        mode: PromptMode::Stdin,
        env: Vec::new(),
        decoder: DecoderName::Text,
        preface: None,
        counts_sessions: true,
    })
}

fn configured(table: &ConfiguredAgent, name: &str, wishes: &Wishes) -> Result<Plain, ChooseError> {
    let model = wishes.model.as_ref().or(table.model.as_ref());
    let argv = match (model, table.takes_model()) {
        (Some(model), true) => {
            table.command.iter().map(|part| part.replace(MODEL, model)).collect()
        }
        (None, true) => {
            return Err(ChooseError::Needs { name: name.to_owned(), flag: "--model" });
        }
        (_, false) if wishes.model.is_some() => return Err(not_taken(name, "model")),
        (_, false) => table.command.clone(),
    };
    Ok(Plain {
        name: name.to_owned(),
        argv,
        mode: table.prompt,
        env: table.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
        decoder: table.decoder,
        preface: None,
        counts_sessions: false,
    })
}

#[cfg(test)]
mod tests;
