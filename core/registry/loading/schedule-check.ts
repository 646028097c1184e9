import type { JsonSchema, ProviderDefinition } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import type { ScheduleFault } from './registered-provider.js';

/**
 * Checks the schedule that a provider declares, and the default of the realm setting that overrides it.
 * @returns a function that checks the schedule that a realm sets; undefined if realms cannot set one
 * @throws BootError `plugin_shape`
 */
export async function checkSchedule(
  { schedule, spi, id, realmConfig }: ProviderDefinition,
  plugin: string,
): Promise<ScheduleFault | undefined> {
  if (schedule === undefined) return undefined;
  const { scheduleInRealm, scheduleProblem } = await import('../schedules/due-times.js');
  const shapeError = (location: string, problem: string) =>
    new BootError('plugin_shape', `${plugin}: ${spi.id}/${id}: ${location} ${problem}`, { plugin });
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) throw shapeError('schedule', problem);
  const { setting } = schedule;
  if (setting === undefined) return undefined;
  const checkRealmSchedule: ScheduleFault = (config) => {
    const message = scheduleProblem(scheduleInRealm(schedule, config));
    return message === undefined ? undefined : { setting, message };
  };
  const properties = (realmConfig?.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const defaultFault = checkRealmSchedule({ [setting]: properties[setting]?.default });
  if (defaultFault !== undefined) throw shapeError(`realmConfig: the default of ${setting}`, defaultFault.message);
  return checkRealmSchedule;
}
