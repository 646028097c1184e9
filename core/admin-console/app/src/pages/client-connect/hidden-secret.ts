/** Shown in place of a hidden secret. */
export const HIDDEN_SECRET = '••••••••••••';
