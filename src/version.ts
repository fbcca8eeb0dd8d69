/** Version of the interface that this server speaks. */
export const API_VERSION = "2.27.0";
/** Cairn's own release. */
export const RELEASE = "0.1.0";
