/** Stands for a secret that nobody asked to see. */
export const HIDDEN_SECRET = '••••••••••••';
