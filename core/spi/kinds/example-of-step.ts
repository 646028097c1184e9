import type { JsonObject } from '../json-schema.js';
import { settingTexts } from './setting-texts.js';

/**
 * A step of a flow, as realm files have it.
 * @param flow whose executions it stands among
 */
export function exampleOfStep(id: string, settings: JsonObject, flow: string): string {
  const entry = { authenticator: id, requirement: 'REQUIRED' };
  const place = `among the authenticationExecutions ${flow}`;
  if (Object.keys(settings).length === 0) return `${spaced(entry)} ${place}`;
  const config = JSON.stringify([{ alias: id, config: settingTexts(settings) }]);
  return `${spaced({ ...entry, authenticatorConfig: id })} ${place}, and "authenticatorConfig": ${config}`;
}

function spaced(members: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(members)
    .map(([name, value]) => `"${name}": "${value}"`)
    .join(', ')} }`;
}
