/** The value that the host shows in place of a secret, and reads as “unchanged”. */
export const MASK = '**********';
