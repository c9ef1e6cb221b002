import { SCHEMA_VERSION, type StoredModel } from './model-format.js'

/** Lifts what one version of the schema wrote to the next. Gets and gives JSON values; never changes what it got. */
export type Upgrade = (stored: StoredModel) => StoredModel

/** Version that is read -> its way to the next version. A change of the schema adds one line here. */
export const UPGRADES: ReadonlyMap<number, Upgrade> = new Map()

/** The model as this version would have written it; undefined when there is no way from that version. */
export function upgradeModel(
  stored: StoredModel,
  version: number,
  upgrades = UPGRADES,
  newest = SCHEMA_VERSION,
): StoredModel | undefined {
  let current = stored
  for (let at = version; at < newest; at++) {
    const upgrade = upgrades.get(at)
    if (upgrade === undefined) return undefined
    current = upgrade(current)
  }
  return current
}
