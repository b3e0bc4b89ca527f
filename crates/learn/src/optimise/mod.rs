//! Optimisers of noisy functions by asking and telling.
