/** Realms that a figure names: there may be ten thousand realms, and each is a time series of its own. */
export const NAMED_REALMS = 100;
/** What the others are called together; no realm has such a name. */
export const OTHERS = '(others)';
