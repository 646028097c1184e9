import type { JsonSchema, ProviderDefinition } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import type { ScheduleFault } from './registered-provider.js';

/**
 * Checks the schedule that a provider declares, and the default of its configuration in a realm.
 * @returns a check of the value that a realm sets; undefined if it cannot set one
 * @throws BootError `plugin_shape`
 */
export async function checkSchedule(
  { schedule, spi, id, realmConfig }: ProviderDefinition,
  plugin: string,
): Promise<ScheduleFault | undefined> {
  if (schedule === undefined) return undefined;
  const { scheduleIn, scheduleProblem } = await import('../schedules/due-times.js');
  const wrong = (where: string, problem: string) =>
    new BootError('plugin_shape', `${plugin}: ${spi.id}/${id}: ${where} ${problem}`, { plugin });
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) throw wrong('schedule', problem);
  const { setting } = schedule;
  if (setting === undefined) return undefined;
  const fault: ScheduleFault = (config) => {
    const message = scheduleProblem(scheduleIn(schedule, config));
    return message === undefined ? undefined : { setting, message };
  };
  const properties = (realmConfig?.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const ofDefault = fault({ [setting]: properties[setting]?.default });
  if (ofDefault !== undefined) throw wrong(`realmConfig: the default of ${setting}`, ofDefault.message);
  return fault;
}
