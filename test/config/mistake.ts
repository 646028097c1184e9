/** Stands in front of what a message has to point at. */
export const HERE = '▶';

export interface Mistake {
  readonly mistake: string;
  /** Marked with HERE. */
  readonly text: string;
  /** What follows `file:line:column `. */
  readonly message: string;
  /** It can stand in one file with the others of these, each with another top-level key. */
  readonly together?: true;
}
