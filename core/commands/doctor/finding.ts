/** The result of one check of a server. */
export interface Finding {
  /** The subject of the check, such as `ports`. */
  readonly check: string;
  /** `problem` requires a change. */
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
  /** Advice on the change to make. */
  readonly fix?: string;
}

/** Returns functions that create the findings of one check. */
export function findings(check: string) {
  return {
    ok: (text: string): Finding => ({ check, state: 'ok', text }),
    warning: (text: string, fix: string): Finding => ({ check, state: 'warning', text, fix }),
    problem: (text: string, fix: string): Finding => ({ check, state: 'problem', text, fix }),
  };
}
