import type { JsonObject } from '../json-schema.js';
import { settingTexts } from './setting-texts.js';

/**
 * An example of a flow's step, as realm files write it.
 * @param flow a phrase that names the flow, such as `of a flow`
 */
export function stepExample(id: string, settings: JsonObject, flow: string): string {
  const entry = { authenticator: id, requirement: 'REQUIRED' };
  const location = `among the authenticationExecutions ${flow}`;
  if (Object.keys(settings).length === 0) return `${formatEntry(entry)} ${location}`;
  const config = JSON.stringify([{ alias: id, config: settingTexts(settings) }]);
  return `${formatEntry({ ...entry, authenticatorConfig: id })} ${location}, and "authenticatorConfig": ${config}`;
}

function formatEntry(members: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(members)
    .map(([name, value]) => `"${name}": "${value}"`)
    .join(', ')} }`;
}
