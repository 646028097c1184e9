import { KEYCLOAK_SETTINGS } from '../../config/settings/keycloak-settings.js';
import type { SettingState, Settings } from '../../config/settings/setting-state.js';
import { code, page, sentence, table } from './markdown.js';

/** Returns the page with every setting of Keycloak and its state in Keyhost. */
export async function keycloakSettingsPage(): Promise<string> {
  const states = Object.values(KEYCLOAK_SETTINGS).flatMap((settings) => Object.values(settings));
  const count = (matches: (state: SettingState) => boolean) => String(states.filter(matches).length);
  return page(
    'Settings of Keycloak',
    'What Keyhost does with each setting of Keycloak 26.7, wherever a realm holds it:',
    table(
      ['state', 'settings', 'meaning'],
      [
        ['works', count(({ state }) => state === 'works'), 'Keyhost acts on it. The test of that name shows how.'],
        [
          'stored',
          count((one) => one.state === 'ignored' && !one.isProtection),
          'Keyhost keeps it and exports it, but does not act on it. `realm check`, the log and the header `Keyhost-Ignored` of the Admin REST API name it if its value asks for something.',
        ],
        [
          'not built',
          count((one) => one.state === 'ignored' && one.isProtection),
          'It promises a protection that Keyhost does not have. The same warnings; `keyhost start` refuses the realm.',
        ],
        ['refused', count(({ state }) => state === 'rejected'), 'A realm with it is refused at its place.'],
      ],
    ),
    ...Object.entries(KEYCLOAK_SETTINGS).flatMap(([kind, settings]) => [`## ${kind}`, settingsTable(settings)]),
  );
}

function settingsTable(settings: Settings): string {
  const rows = Object.entries(settings).map(([name, state]) => [code(name), ...cells(state)]);
  return table(['setting', 'state', 'test, or what happens instead'], rows);
}

function cells(state: SettingState): [string, string] {
  if (state.state === 'works') return ['works', code(`test/${state.test}.test.ts`)];
  if (state.state === 'rejected') return ['**refused**', sentence(state.sentence)];
  return [state.isProtection ? '**not built**' : 'stored', sentence(state.sentence)];
}
