//! Tells Zed how the language server of svc is started: the one of the project, else the one on the search path.
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

const OWN: &str = "node_modules/svc-scale/bin/svc.mjs";

struct Svc;

impl zed::Extension for Svc {
    fn new() -> Self {
        Svc
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let env = worktree.shell_env();
        if let Some(path) = worktree.which("svc") {
            return Ok(Command { command: path, args: vec!["lsp".into()], env });
        }
        let own = format!("{}/{OWN}", worktree.root_path());
        Ok(Command { command: zed::node_binary_path()?, args: vec![own, "lsp".into()], env })
    }
}

zed::register_extension!(Svc);
