import test from 'ava';
import { checkTokensBy, LANGUAGES } from './token-check-programs.js';

for (const language of LANGUAGES.filter(({ title }) => title === 'JavaScript'))
  test('token checks: the printed JavaScript program accepts tokens for the API alone', (t) =>
    checkTokensBy(t, language));
