// transformers.js refuses to load without an image library; Cairn never decodes an image.
module.exports = () => {
  throw new Error("Cairn embeds text only: images are not supported.");
};
