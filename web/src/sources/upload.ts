/** Files that are dropped or chosen: handed to the server to be looked at, which removes them when it ends. */

import { signal } from "@preact/signals";
import { api } from "../api/client";
import type { Source } from "../api/types";
import { sizeOf } from "../figures";
import { count } from "../shell/numbers";
import { about, chooseSource, go, loadSources, notify, report } from "../state";
import { t } from "../translation";

/** What is being handed over, in words; null if nothing. */
export const uploading = signal<string | null>(null);

/** So many files of a folder are looked at. */
const MOST_FILES = 2000;

/** Hand files over and show what is in them; the first database of them, if there is one. */
export async function openFiles(files: readonly File[]): Promise<Source | null> {
  if (files.length === 0 || uploading.peek() !== null) {
    return null;
  }
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const most = about.peek()?.max_upload ?? Infinity;
  if (size > most) {
    const limit = { size: sizeOf(size), most: sizeOf(most) };
    notify(t("That is {size}, and the page takes {most} at most: start “tabiya serve” with the name of the file instead.", limit), "error");
    return null;
  }
  uploading.value = t("Opening …");
  try {
    const { upload } = await api.post<{ upload: string }>("/api/uploads", {});
    for (const [index, file] of files.entries()) {
      const facts = { name: file.name, size: sizeOf(file.size), n: index + 1, all: files.length };
      uploading.value = files.length > 1 ? t("Opening {name} ({size}, {n} of {all}) …", facts) : t("Opening {name} ({size}) …", facts);
      await api.upload(`/api/uploads/${upload}/${encodeURIComponent(file.name)}`, file);
    }
    const { sources } = await api.post<{ sources: Source[] }>(`/api/uploads/${upload}/open`, {});
    await loadSources();
    return show(sources);
  } catch (error) {
    report(error);
    return null;
  } finally {
    uploading.value = null;
  }
}

function show(opened: readonly Source[]): Source | null {
  const database = opened.find(({ kind }) => kind === "database") ?? null;
  if (database) {
    chooseSource(database.id);
    go({ tab: "games", parameters: {} });
  } else if (opened.length > 0) {
    go({ tab: "books", parameters: {} });
  }
  const [first] = opened;
  if (first) {
    const n = count(opened.length);
    notify(opened.length === 1 ? t("{name} is open.", { name: first.name }) : t("{n} databases and books are open.", { n }));
  }
  return database;
}

/** The files of a drop, those in folders included. */
export async function droppedFiles(data: DataTransfer): Promise<File[]> {
  const entries = Array.from(data.items, (item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  if (entries.length === 0) {
    return Array.from(data.files);
  }
  const files: File[] = [];
  for (let entry = entries.shift(); entry && files.length < MOST_FILES; entry = entries.shift()) {
    if (entry.isFile) {
      files.push(await fileOf(entry as FileSystemFileEntry));
    } else if (entry.isDirectory) {
      entries.push(...(await entriesOf(entry as FileSystemDirectoryEntry)));
    }
  }
  return files;
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0 || all.length > MOST_FILES) {
      return all;
    }
    all.push(...some);
  }
}
