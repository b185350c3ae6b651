//! What holds for any two files, and for long ones.

use proptest::prelude::*;

use super::*;

const ALL: [(Kind, &[&str]); 9] = [
    (Kind::Toml, &["tool.pytest*", "bin[].test", "a"]),
    (Kind::Json, &["scripts", "a"]),
    (Kind::Json, &["f.scripts", "scripts.*"]),
    (Kind::Env, &["A", "N_*"]),
    (Kind::GoMod, &["replace"]),
    (Kind::Ini, &["tool:pytest", "a*"]),
    (Kind::Make, &["test"]),
    (Kind::Make, &[""]),
    (Kind::Just, &["test", ""]),
];

const GO_MOD: &[&str] = &[
    "module a.b/c\n",
    "require a.b/d v1.0.0\n",
    "replace a.b/d => ./d\n",
    "replace a.b/d v1.0.0 => ../e v2 // c\n",
    "require (\n\ta.b/e v1\n)\n",
    "replace (\n\ta.b/e => ./e\n\t\"a.b/x\" => ./x\n)\n",
    "replace a.b/x => ./y\n",
    "replace(\n",
    ")\n",
    "// replace a.b/d => ./z\n",
    "\n",
];

/// Pieces that files are made of, some of them odd.
fn pieces(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Toml => &[
            "x = 1\n",
            "a = 'b'\n",
            "[tool.pytest]\nq = 1\n",
            "[tool.pytest.b]\nq = 1\n",
            "[tool]\n",
            "tool = { pytest = { q = 2 }, z = 1 }\n",
            "tool.pytest-cov.q = 3\n",
            "[[bin]]\nname = 'n'\n",
            "[[bin]]\nname = 'n'\ntest = false\n",
            "[[bin]]\nname = 'm'\n",
            "# c\n",
            "\n",
            "[z.z]\ny = [1]\n",
            "[a]\nb = 1\n",
            "[[a]]\n",
            "[tool.z] # c\nq.r = 1\n",
            "[tool.pytest2]\n",
            "\r\n",
            "q.r = 1 # d\n",
        ],
        Kind::Json => &[
            "\"scripts\": 1",
            "\"scripts\": {\"a\": [1, \"}\"]}",
            "\"a\" :2",
            "\"b\":\t3",
            "\n\"c\": \"\\\"\"",
            " \"d\": [ ] ",
            "\"\\u0061\": null",
            "/* c */ \"e\": 1 // d\n",
            "\"f\": {\"scripts\": 1}",
        ],
        Kind::Ini => &[
            "[tool:pytest]\n",
            "a = 1\n",
            "  b = 2\n",
            "    [c]\n",
            " [d]\n",
            "[other]\n",
            "# e\n",
            "; f\n",
            "\n",
            "[ax]\nq = 1\n",
            "[tool:pytest]",
            "[broken\n",
        ],
        Kind::Env => &["A=1\n", "export N_A = 2\n", "B=\"\n", "# A=3\n", "N_B: 4\n", "\n", "A=5"],
        Kind::GoMod => GO_MOD,
        Kind::Make => &[
            "test: a\n\tx\n",
            "a:\n\ty\n",
            "b: c\n\tz\n",
            "c d: e\n",
            "V = 1\n",
            "V += 2\n",
            "\tt\n",
            "# c\n",
            "# c \\\n",
            "\n",
            "ifdef X\n",
            "else\n",
            "endif\n",
            "define Y\n",
            "endef\n",
            "include q\n",
            ".PHONY: b\n",
            "%.o: %.c\n",
            "\t# d\n",
            "f: g ; h\n",
            "x.c:\n",
            "\t\\\n",
            "first:",
            "\tifdef X\n",
            "b::\n",
            "e: V=1\n",
        ],
        Kind::Just => &[
            "test: a\n  x\n",
            "a:\n  y\n",
            "b c:\n  z\n",
            "v := '1'\n",
            "v := '''\n",
            "'''\n",
            "set x := true\n",
            "# c\n",
            "\n",
            "[private]\n",
            "[\n",
            "alias q := b\n",
            "  w\n",
            "import 'z'\n",
            "d: (a 'b')\n",
            "default:\n",
            "e f='g':\n",
        ],
    }
}

fn file(kind: Kind) -> impl Strategy<Value = String> {
    let pieces = pieces(kind);
    let separator = if kind == Kind::Json { "," } else { "" };
    prop::collection::vec(prop::sample::select(pieces), 0..10).prop_map(move |pieces| {
        let text = pieces.join(separator);
        if kind == Kind::Json { format!("{{{text}}}") } else { text }
    })
}

fn two_files() -> impl Strategy<Value = (usize, String, String)> {
    (0..ALL.len()).prop_flat_map(|at| {
        let kind = ALL[at].0;
        let odd = prop_oneof![8 => file(kind), 1 => "\\PC{0,40}", 1 => Just(String::new())];
        (Just(at), file(kind), odd)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn what_is_restored_reads_as_the_original_and_keeps_the_rest(
        (at, original, current) in two_files()
    ) {
        let (kind, names) = ALL[at];
        let keys = keys(names);
        let restored = restore(kind, original.as_bytes(), current.as_bytes(), &keys);
        if let Ok(restored) = restored {
            let left = differences(kind, original.as_bytes(), &restored, &keys).unwrap();
            prop_assert_eq!(left, []);
            let again = restore(kind, original.as_bytes(), &restored, &keys).unwrap();
            prop_assert_eq!(&again, &restored);
            let restored = String::from_utf8(restored).unwrap();
            prop_assert_eq!(rest(kind, &original, &restored, &keys), rest(kind, &original, &current, &keys));
        }
    }

    #[test]
    fn no_text_is_too_odd(at in 0..ALL.len(), original in ".{0,60}", current in "[\\PC\n\t\\\\]{0,60}") {
        let (kind, names) = ALL[at];
        drop(restore(kind, original.as_bytes(), current.as_bytes(), &keys(names)));
        drop(restore(kind, b"", current.as_bytes(), &keys(names)));
    }
}

/// All of a file that is not guarded, in a form that can be compared.
fn rest(kind: Kind, original: &str, current: &str, keys: &[String]) -> String {
    let unguarded = |pair: statement::Pair<'_>| -> String {
        let rest = pair.current.iter().filter(|it| !it.is_guarded);
        let lines = rest.flat_map(|it| it.text.lines().map(str::trim_end));
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    };
    match kind {
        Kind::Toml => toml::rest(current, keys),
        Kind::Json => {
            let object = json_members::Object::read(current).unwrap();
            let firsts: Vec<_> = keys.iter().filter_map(|key| key.split('.').next()).collect();
            let is_rest = |name: &str| !firsts.contains(&name);
            let rest = object.members.into_iter().filter(|member| is_rest(&member.name));
            rest.map(|member| member.text.into_owned()).collect::<Vec<_>>().join("\n")
        }
        Kind::Ini => unguarded(ini::pair(original, current, keys)),
        Kind::Env => unguarded(env::pair(original, current, keys)),
        Kind::GoMod => go_mod::restore(original, current).replace("replace", ""),
        Kind::Make => unguarded(make::pair(original, current, keys)),
        Kind::Just => unguarded(just::pair(original, current, keys).unwrap()),
    }
}

/// Quadratic work would take minutes here.
#[test]
fn long_files_are_read_in_one_go() {
    const SIZE: usize = 1 << 18;
    for (kind, names) in ALL {
        let piece = pieces(kind)[0];
        let current = match kind {
            Kind::Json => format!("{{{}{piece}}}", format!("{piece},").repeat(SIZE / piece.len())),
            // The same key twice is an error, which is found at once.
            Kind::Toml => (0..SIZE / 16).map(|at| format!("[t{at}]\nq={at}\n")).collect(),
            Kind::Ini | Kind::Env | Kind::GoMod | Kind::Make | Kind::Just => {
                piece.repeat(SIZE / piece.len())
            }
        };
        let original = if kind == Kind::Json { format!("{{{piece}}}") } else { piece.to_owned() };
        restore(kind, original.as_bytes(), current.as_bytes(), &keys(names)).unwrap();
    }
}
