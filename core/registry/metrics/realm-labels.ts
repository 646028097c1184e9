/**
 * Maximum number of realms with a metric label of their own. A host may have ten thousand realms, and each label
 * creates another time series.
 */
export const MAX_REALM_LABELS = 100;
/** The label that all other realms share. It is not a valid realm name. */
export const OTHER_REALMS = '(others)';
