import { spi } from '../plugin.js';

export interface FortuneTellerProvider {
  /** What the day brings. */
  tell(day: string): Promise<string>;
}

/** Tells fortunes. Nobody asks. */
export const FortuneTeller = spi<FortuneTellerProvider>({
  id: 'fortune-teller',
  name: 'FortuneTeller',
  methods: { required: ['tell'] },
  reserved: ['pythia'],
  answers: { tell: { type: 'string', minLength: 1 } },
});
