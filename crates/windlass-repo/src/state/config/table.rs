//! Which settings have git run something, send something elsewhere, or hide something, as data.

/// What a setting does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::state) enum Does {
    /// It has git run a program.
    Runs,
    /// It sends something elsewhere, or brings it in from there.
    Leads,
    /// It hides changes or history, or has them removed.
    Hides,
}

/// Which values do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// Any that is not empty.
    Set,
    /// Any but yes and no.
    NotYesOrNo,
    /// One that begins with an exclamation mark.
    Shell,
    /// Yes.
    Yes,
    /// No.
    No,
    /// An address, and not the name of a remote.
    Address,
    /// This value.
    Is(&'static str),
}

/// A setting: its name, with `*` for a subsection or a whole part; which values count; what it does;
/// and the words after the name, with the value for `{}`.
pub(super) type Row = (&'static str, When, Does, &'static str);

const R: Does = Does::Runs;
const L: Does = Does::Leads;
const H: Does = Does::Hides;

/// All of them. The first that fits counts.
pub(super) const TABLE: &[Row] = &[
    ("core.fsmonitor", When::NotYesOrNo, R, "runs `{}` at your next `git status`"),
    ("core.hooksPath", When::Set, R, "has git run the hooks in `{}`"),
    ("core.sshCommand", When::Set, R, "runs `{}` at your next fetch or push"),
    ("core.gitProxy", When::Set, R, "runs `{}` at your next fetch"),
    ("core.askPass", When::Set, R, "runs `{}` when git asks for a password"),
    ("core.editor", When::Set, R, "runs `{}` at your next `git commit`"),
    ("sequence.editor", When::Set, R, "runs `{}` at your next `git rebase -i`"),
    ("core.pager", When::Set, R, "runs `{}` at your next `git log` or `git diff`"),
    ("pager.*", When::NotYesOrNo, R, "runs `{}` to show what git says"),
    ("core.alternateRefsCommand", When::Set, R, "runs `{}` at your next fetch"),
    ("hook.*.command", When::Set, R, "runs `{}` as a hook"),
    ("alias.*", When::Shell, R, "runs `{}` when you type this alias"),
    ("filter.*.clean", When::Set, R, "runs `{}` at your next `git status` or `git add`"),
    ("filter.*.smudge", When::Set, R, "runs `{}` at your next checkout"),
    ("filter.*.process", When::Set, R, "runs `{}` at your next `git status` or checkout"),
    ("diff.external", When::Set, R, "runs `{}` at your next `git diff`"),
    ("diff.*.command", When::Set, R, "runs `{}` at your next `git diff`"),
    ("diff.*.textconv", When::Set, R, "runs `{}` at your next `git diff` or `git log -p`"),
    ("interactive.diffFilter", When::Set, R, "runs `{}` at your next `git add -p`"),
    ("merge.*.driver", When::Set, R, "runs `{}` at your next merge"),
    ("mergetool.*.cmd", When::Set, R, "runs `{}` at your next `git mergetool`"),
    ("mergetool.*.path", When::Set, R, "runs `{}` at your next `git mergetool`"),
    ("difftool.*.cmd", When::Set, R, "runs `{}` at your next `git difftool`"),
    ("difftool.*.path", When::Set, R, "runs `{}` at your next `git difftool`"),
    ("guitool.*.cmd", When::Set, R, "runs `{}` from git's windows"),
    ("browser.*.cmd", When::Set, R, "runs `{}` to show a page"),
    ("browser.*.path", When::Set, R, "runs `{}` to show a page"),
    ("man.*.cmd", When::Set, R, "runs `{}` at your next `git help`"),
    ("man.*.path", When::Set, R, "runs `{}` at your next `git help`"),
    ("instaweb.httpd", When::Set, R, "runs `{}` at your next `git instaweb`"),
    ("credential.helper", When::Set, R, "runs `{}` and hands it passwords"),
    ("credential.*.helper", When::Set, R, "runs `{}` and hands it passwords"),
    ("gpg.program", When::Set, R, "runs `{}` when git signs or checks a signature"),
    ("gpg.*.program", When::Set, R, "runs `{}` when git signs or checks a signature"),
    ("gpg.ssh.defaultKeyCommand", When::Set, R, "runs `{}` when git signs"),
    ("remote.*.uploadpack", When::Set, R, "runs `{}` at your next fetch"),
    ("remote.*.receivepack", When::Set, R, "runs `{}` at your next push"),
    ("remote.*.vcs", When::Set, R, "runs `git-remote-{}` at your next fetch or push"),
    ("submodule.*.update", When::Shell, R, "runs `{}` at your next `git submodule update`"),
    ("uploadpack.packObjectsHook", When::Set, R, "runs `{}` when somebody fetches from here"),
    ("gc.recentObjectsHook", When::Set, R, "runs `{}` at your next `git gc`"),
    ("trailer.*.command", When::Set, R, "runs `{}` at your next `git commit`"),
    ("trailer.*.cmd", When::Set, R, "runs `{}` at your next `git commit`"),
    ("tar.*.command", When::Set, R, "runs `{}` at your next `git archive`"),
    ("sendemail.*", When::Set, R, "is `{}` at your next `git send-email`, which may run it"),
    ("imap.tunnel", When::Set, R, "runs `{}` at your next `git imap-send`"),
    ("lfs.customtransfer.*.path", When::Set, R, "runs `{}` at your next fetch or push"),
    ("lfs.extension.*.clean", When::Set, R, "runs `{}` at your next `git add`"),
    ("lfs.extension.*.smudge", When::Set, R, "runs `{}` at your next checkout"),
    ("protocol.*.allow", When::Set, R, "is `{}`: remotes may run commands by it"),
    ("init.templateDir", When::Set, R, "brings hooks of `{}` into new repositories"),
    ("include.path", When::Set, R, "brings in the settings of `{}`"),
    ("includeIf.*.path", When::Set, R, "brings in the settings of `{}`"),
    ("extensions.worktreeConfig", When::Yes, R, "has git read `config.worktree` too"),
    ("remote.*.url", When::Set, L, "sends fetches and pushes to `{}`"),
    ("remote.*.pushurl", When::Set, L, "sends pushes to `{}`"),
    ("remote.*.proxy", When::Set, L, "sends fetches and pushes by way of `{}`"),
    ("remote.pushDefault", When::Set, L, "sends pushes to `{}`"),
    ("branch.*.pushRemote", When::Set, L, "sends pushes to `{}`"),
    ("branch.*.remote", When::Address, L, "sends fetches and pushes to `{}`"),
    ("url.*.insteadOf", When::Set, L, "takes the place of `{}` in fetches and pushes"),
    ("url.*.pushInsteadOf", When::Set, L, "takes the place of `{}` in pushes"),
    ("http.proxy", When::Set, L, "sends fetches and pushes by way of `{}`"),
    ("http.*.proxy", When::Set, L, "sends fetches and pushes by way of `{}`"),
    ("http.sslVerify", When::No, L, "has git trust any server"),
    ("http.*.sslVerify", When::No, L, "has git trust any server"),
    ("http.sslCAInfo", When::Set, L, "has git trust the servers of `{}`"),
    ("http.*.sslCAInfo", When::Set, L, "has git trust the servers of `{}`"),
    ("lfs.url", When::Set, L, "sends large files to `{}`"),
    ("lfs.pushurl", When::Set, L, "sends large files to `{}`"),
    ("remote.*.lfsurl", When::Set, L, "sends large files to `{}`"),
    ("submodule.*.url", When::Set, L, "brings a submodule from `{}`"),
    ("core.worktree", When::Set, H, "has git look at the files of `{}` instead of yours"),
    ("core.bare", When::Yes, H, "has git look at no files"),
    ("core.attributesFile", When::Set, H, "has git treat files by the rules of `{}`"),
    ("core.excludesFile", When::Set, H, "hides files that `{}` names from `git status`"),
    ("core.sparseCheckout", When::Yes, H, "has git leave out files and hide that they are gone"),
    ("core.ignoreStat", When::Yes, H, "hides changes of files from `git status`"),
    ("core.checkStat", When::Is("minimal"), H, "hides some changes of files from `git status`"),
    ("core.trustCtime", When::No, H, "hides some changes of files from `git status`"),
    ("core.fileMode", When::No, H, "hides that files became executable"),
    ("core.logAllRefUpdates", When::No, H, "has git keep no log of where branches were"),
    ("core.useReplaceRefs", When::Yes, H, "has git show objects in the place of others"),
    (
        "core.repositoryFormatVersion",
        When::Set,
        H,
        "is `{}`: git may read the repository in another way",
    ),
    ("extensions.*", When::Set, H, "is `{}`: git may read the repository in another way"),
    ("status.showUntrackedFiles", When::Is("no"), H, "hides new files from `git status`"),
    ("diff.ignoreSubmodules", When::Set, H, "is `{}`: changes of submodules are hidden"),
    ("submodule.*.ignore", When::Set, H, "is `{}`: changes of the submodule are hidden"),
    ("diff.*.binary", When::Yes, H, "hides what changed in files from `git diff`"),
    ("blame.ignoreRevsFile", When::Set, H, "hides the commits that `{}` names from `git blame`"),
    ("transfer.hideRefs", When::Set, H, "hides `{}` from those who fetch and push"),
    ("transfer.fsckObjects", When::No, H, "has git take in broken objects"),
    ("fetch.fsckObjects", When::No, H, "has git take in broken objects"),
    (
        "gc.pruneExpire",
        When::Set,
        H,
        "is `{}`: `git gc` removes what no branch has after that time",
    ),
    (
        "gc.reflogExpire",
        When::Set,
        H,
        "is `{}`: the log of where branches were is removed after it",
    ),
    (
        "gc.reflogExpireUnreachable",
        When::Set,
        H,
        "is `{}`: the log of what was undone is removed after it",
    ),
    ("gc.worktreePruneExpire", When::Set, H, "is `{}`: git forgets work trees after that time"),
];
