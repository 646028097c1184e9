/** What the host shows in place of a secret, and takes for "as it is". */
export const MASK = '**********';
