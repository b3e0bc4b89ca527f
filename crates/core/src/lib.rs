//! Ludex core.
