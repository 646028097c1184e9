/** Marks the position that a message must report. */
export const HERE = '▶';

export interface Mistake {
  readonly mistake: string;
  /** Marked with HERE. */
  readonly text: string;
  /** The message after `file:line:column `. */
  readonly message: string;
  /** True if it can be in one file with other such mistakes, each with a different top-level key. */
  readonly together?: true;
}
