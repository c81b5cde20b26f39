"""The one place that names this release."""

VERSION = "0.1.0"
