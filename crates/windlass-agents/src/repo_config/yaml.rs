//! YAML as a JSON value. What repeats itself by reference is refused: a few lines of it can grow to
//! any size, and settings of agents have no need of it.

use saphyr_parser::{Event, Parser};
use serde_json::{Map, Value};

/// How deep lists and tables may be in each other.
const DEEPEST: usize = 64;

/// The first document of a text; an empty one is an empty table.
pub(super) fn value(text: &str) -> Result<Value, String> {
    let mut reader = Reader { parser: Parser::new_from_str(text) };
    loop {
        match reader.next()? {
            Event::StreamEnd | Event::DocumentEnd => return Ok(Value::Object(Map::new())),
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => (),
            event => return reader.value(event, 0),
        }
    }
}

struct Reader<'t> {
    parser: Parser<'t, saphyr_parser::StrInput<'t>>,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<Event<'t>, String> {
        match self.parser.next_event() {
            Some(Ok((event, _))) => Ok(event),
            Some(Err(error)) => Err(format!("it is not YAML: {error}")),
            None => Ok(Event::StreamEnd),
        }
    }

    fn value(&mut self, event: Event<'t>, depth: usize) -> Result<Value, String> {
        if depth > DEEPEST {
            return Err("it is nested too deeply".to_owned());
        }
        match event {
            Event::Scalar(text, ..) => Ok(Value::String(text.into_owned())),
            Event::SequenceStart(..) => {
                let mut list = Vec::new();
                loop {
                    match self.next()? {
                        Event::SequenceEnd => return Ok(Value::Array(list)),
                        event => list.push(self.value(event, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(..) => {
                let mut table = Map::new();
                loop {
                    let key = match self.next()? {
                        Event::MappingEnd => return Ok(Value::Object(table)),
                        event => self.value(event, depth + 1)?,
                    };
                    let Value::String(key) = key else {
                        return Err("it has a name that is no text".to_owned());
                    };
                    let event = self.next()?;
                    table.insert(key, self.value(event, depth + 1)?);
                }
            }
            Event::Alias(_) => Err("it refers to other parts of itself".to_owned()),
            _ => Err("it ends early".to_owned()),
        }
    }
}
