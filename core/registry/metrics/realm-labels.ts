/**
 * Maximum number of realms in a metric's labels: there may be ten thousand realms, and each would be a time series of
 * its own.
 */
export const MAX_REALM_LABELS = 100;
/** The label of all other realms; it is not a valid realm name. */
export const OTHER_REALMS = '(others)';
