//! Named numbers that describe a game to a model.

use crate::game::Info;

/// A vector of named values. The same name means the same thing in all rule languages.
///
/// ```
/// use ludex_core::Features;
/// let mut features = Features::default();
/// features.set("players", 2.0);
/// assert_eq!(features.get("players"), Some(2.0));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Features(Vec<(String, f64)>);

impl Features {
    /// The features that follow from [`Info`] alone.
    pub fn of_info(info: &Info) -> Self {
        let flag = f64::from;
        Features(vec![
            ("players".into(), info.seats() as f64),
            ("chance".into(), flag(u8::from(info.chance))),
            ("hidden".into(), flag(u8::from(info.hidden))),
            ("simultaneous".into(), flag(u8::from(info.simultaneous))),
            ("constant_sum".into(), flag(u8::from(info.constant_sum))),
        ])
    }

    /// Sets a value, replacing one of the same name.
    pub fn set(&mut self, name: &str, value: f64) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_string(), value)),
        }
    }

    /// Sets many values at once.
    pub fn extend(&mut self, pairs: impl IntoIterator<Item = (String, f64)>) {
        let mut places: std::collections::HashMap<String, usize> =
            self.0.iter().enumerate().map(|(i, (name, _))| (name.clone(), i)).collect();
        for (name, value) in pairs {
            match places.get(&name) {
                Some(&at) => self.0[at].1 = value,
                None => {
                    places.insert(name.clone(), self.0.len());
                    self.0.push((name, value));
                }
            }
        }
    }

    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).map(|&(_, value)| value)
    }

    /// All pairs in the order in which they were set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_values_are_set_as_one_by_one() {
        let pairs = [("a", 1.0), ("b", 2.0), ("a", 3.0)];
        let mut one = Features::default();
        pairs.iter().for_each(|(name, value)| one.set(name, *value));
        let mut many = Features::default();
        many.extend(pairs.iter().map(|(name, value)| ((*name).to_string(), *value)));
        assert_eq!(one, many);
        assert_eq!(many.get("a"), Some(3.0));
    }
}
