//! A requirement as a picture.

use super::drawing::{Drawing, STYLE};
use super::markup::escaped;
use super::{Described, TooLarge};

impl Described {
    /// The requirement as an SVG document that needs nothing else.
    pub fn to_svg(&self) -> Result<String, TooLarge> {
        let Drawing { size, elements } = self.draw()?;
        let (width, height) = (size.width.ceil(), size.height.ceil());
        let title = escaped(&format!("Requirement of {}", self.module));
        Ok(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" role=\"img\" \
             width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n{elements}</svg>\n"
        ))
    }
}
