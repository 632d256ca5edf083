//! Answers of GTP (version 2, section 2.7), as far as they have to be understood.

/// How much of an answer is kept: the vertices of a handicap need less.
const KEPT: usize = 4096;

#[derive(Debug)]
pub struct Reply {
    pub is_success: bool,
    /// What it says after `=` or `?` and the id, in one line.
    pub text: String,
    /// The move of a `play` line below it, as engines that analyse while they think write it.
    played: Option<String>,
}

impl Reply {
    /// One that begins with this line.
    pub fn of(line: &[u8]) -> Self {
        let (sign, rest) = line.split_first().map_or((b'?', &[][..]), |(&sign, rest)| (sign, rest));
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let rest = &rest[digits..];
        let text = String::from_utf8_lossy(&rest[..rest.len().min(KEPT)]).trim().to_owned();
        Self { is_success: sign == b'=', text, played: None }
    }

    /// Another line of it.
    pub fn add(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(&line[..line.len().min(KEPT)]);
        let line = line.trim();
        if let Some(vertex) = line.strip_prefix("play ") {
            self.played = Some(vertex.trim().to_owned());
        } else if self.text.len() + line.len() < KEPT && !line.starts_with("info") {
            self.text += if self.text.is_empty() { "" } else { " " };
            self.text += line;
        }
    }

    /// The move that it says.
    pub fn vertex(&self) -> &str {
        self.played.as_deref().unwrap_or(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_found() {
        let move_of = |lines: &[&str]| {
            let mut reply = Reply::of(lines[0].as_bytes());
            lines[1..].iter().for_each(|line| reply.add(line.as_bytes()));
            (reply.is_success, reply.vertex().to_owned())
        };
        assert_eq!(move_of(&["= D4\r\n"]), (true, "D4".to_owned()));
        assert_eq!(move_of(&["=12 pass\n"]), (true, "pass".to_owned()));
        let found = move_of(&["=3\n", "info move D4 visits 3\n", "play Q16\n"]);
        assert_eq!(found, (true, "Q16".to_owned()));
        assert_eq!(move_of(&["?4 unknown command\n"]), (false, "unknown command".to_owned()));
        assert_eq!(move_of(&["= D4 D16\n"]).1, "D4 D16");
    }
}
