#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Modules are compiled once and not by every command; one that was imported above this line would be.
enableCompileCache();
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine();
