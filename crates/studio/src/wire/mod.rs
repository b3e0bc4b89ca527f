//! The messages between server and page, a file for each part of the page. `web/src/types.ts` is generated from these types by
//! a test.

mod games;
mod insight;
mod live;
mod play;
mod rules;
mod runs;
mod think;

use serde::Serialize;

pub use self::games::*;
pub use self::insight::*;
pub use self::live::*;
pub use self::play::*;
pub use self::rules::*;
pub use self::runs::*;
pub use self::think::*;

/// Declares types of messages: JSON in both directions, a schema for the API description, and a TypeScript type in tests.
macro_rules! messages {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field:meta])* pub $key:ident: $type:ty,)* })*) => {
        $(
            $(#[$meta])*
            #[derive(
                Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
            )]
            #[cfg_attr(test, derive(ts_rs::TS))]
            #[serde(default)]
            pub struct $name { $($(#[$field])* pub $key: $type,)* }
        )*

        /// Adds the JSON schemas of these messages, by name.
        pub(super) fn schemas(generator: &mut schemars::SchemaGenerator) {
            $(generator.subschema_for::<$name>();)*
        }

        #[cfg(test)]
        pub(super) fn typescript() -> Vec<String> {
            let config = ts_rs::Config::default();
            vec![$(format!("export {}\n", <$name as ts_rs::TS>::decl(&config))),*]
        }
    };
}

use messages;

/// Adds the JSON schemas of all messages, by name.
pub(crate) fn schemas(generator: &mut schemars::SchemaGenerator) {
    games::schemas(generator);
    play::schemas(generator);
    think::schemas(generator);
    insight::schemas(generator);
    rules::schemas(generator);
    runs::schemas(generator);
}

/// The TypeScript types of all messages.
#[cfg(test)]
fn typescript() -> Vec<String> {
    let parts = [
        games::typescript(),
        play::typescript(),
        think::typescript(),
        insight::typescript(),
        rules::typescript(),
        runs::typescript(),
    ];
    parts.concat()
}

/// The name of a value of an enumeration as its JSON has it.
pub(crate) fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `LUDEX_UPDATE=1 cargo test -p ludex-studio types` writes the file.
    #[test]
    fn the_types_of_the_page_are_those_of_the_server() {
        let config = ts_rs::Config::default();
        let mut text = String::from(
            "// Generated from crates/studio/src/wire by `LUDEX_UPDATE=1 cargo test -p ludex-studio types`.\n\n",
        );
        typescript().iter().for_each(|part| text.push_str(part));
        text.push_str(&format!("export {}\n", <Ask as ts_rs::TS>::decl(&config)));
        text.push_str(&format!("export {}\n", <Tell as ts_rs::TS>::decl(&config)));
        // JSON has one kind of number, and ours stay below 2^53.
        let text = text.replace("bigint", "number");
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/types.ts");
        if std::env::var_os("LUDEX_UPDATE").is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        let committed = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(committed, text, "web/src/types.ts is out of date");
    }
}
