import type { Plugin } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';
import type { PluginEntry, PluginsFile } from '../../config/plugins-file.js';
import { hostConfigSchema } from './plugin-shape.js';

/**
 * Validates the host-wide configuration of a plugin's providers.
 * @returns the configuration by `spi/id`, with defaults filled in
 * @throws BootError `plugin_config` with every problem and its position
 */
export function checkHostConfig(
  plugin: Plugin,
  entry: PluginEntry,
  index: number,
  file: PluginsFile,
): ReadonlyMap<string, unknown> {
  const checkedConfigs = new Map<string, unknown>();
  const knownNames = plugin.providers.map(({ spi, id }) => `${spi.id}/${id}`);
  const problems = [];
  const locate = (path: (string | number)[]) => ({
    file: file.path,
    ...file.locate(['plugins', index, 'config', ...path]),
  });
  for (const name of Object.keys(entry.config)) {
    if (knownNames.includes(name)) continue;
    const suggestion = didYouMean(name, knownNames, 6);
    const message = `${entry.module} has no provider ${name}: it has ${knownNames.join(', ')}`;
    problems.push({
      ...locate([name]),
      path: `plugins[${index}].config["${name}"]`,
      message,
      ...(suggestion ? { suggestion: suggestion } : {}),
    });
  }
  for (const definition of plugin.providers) {
    const name = `${definition.spi.id}/${definition.id}`;
    const value: unknown = structuredClone(entry.config[name] ?? {});
    const check = compileSchema(hostConfigSchema(definition), { useDefaults: true });
    if (check(value)) checkedConfigs.set(name, Object.freeze(value));
    else {
      for (const { path, message, suggestion } of schemaProblems(check)) {
        const suffix = ['', ...path].join('.');
        const text = `plugins[${index}].config["${name}"]${suffix}`;
        problems.push({ ...locate([name, ...path]), path: text, message, ...(suggestion ? { suggestion } : {}) });
      }
    }
  }
  if (problems.length > 0) {
    throw new BootError('plugin_config', `${entry.module} is not configured correctly`, {
      plugin: entry.module,
      problems,
    });
  }
  return checkedConfigs;
}
