/** What one look at a server has found. */
export interface Finding {
  /** What was looked at, such as `ports`. */
  readonly check: string;
  /** `problem`: something must be changed. */
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
  /** What to change. */
  readonly fix?: string;
}

/** Findings of one check. */
export function findings(check: string) {
  return {
    ok: (text: string): Finding => ({ check, state: 'ok', text }),
    warning: (text: string, fix: string): Finding => ({ check, state: 'warning', text, fix }),
    problem: (text: string, fix: string): Finding => ({ check, state: 'problem', text, fix }),
  };
}
