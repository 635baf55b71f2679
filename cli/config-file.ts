import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import * as z from 'zod';
import { checkShape } from '../model/shape.ts';
import { checkedFile, readYaml } from '../process/read-yaml.ts';

/** What `proplane init` has written down. */
const configSchema = z.strictObject({ host: z.string().optional(), token: z.string().optional() });

export type ConfigFile = z.output<typeof configSchema>;

/** Where it is, for the user who runs the command. */
export function configFilePath(): string {
  return join(homedir(), '.proplane', 'config.yaml');
}

/** @returns nothing in it when there is none. @throws FileError naming file and line of everything that is wrong. */
export function readConfigFile(): ConfigFile {
  const path = configFilePath();
  if (!existsSync(path)) return {};
  const yaml = readYaml(path);
  return checkedFile(yaml, checkShape(configSchema, yaml.value ?? {}));
}

/** Replaces the file at once, readable by its owner only. @returns its path. */
export function writeConfigFile(config: ConfigFile): string {
  const path = configFilePath();
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  const next = `${path}.${process.pid}`;
  writeFileSync(next, stringify(config), { mode: 0o600 });
  renameSync(next, path);
  return path;
}
