import { expect, it } from "vitest";
import { joinedNames, namesOf, readable, separateNames, wholeNames } from "./names";

const NAMES = ["Carlsen, M", "O'Kelly", "Smith (2)", "a|b", "x\\y", "Ľuboš", "/^.*$/", "Виктор", "[?]", "😀"];

it("makes an expression of names, and names of it again", () => {
  expect(wholeNames(["Carlsen, M"])).toBe("/^(?:Carlsen\\,\\ M)$/");
  for (const name of NAMES) {
    expect(namesOf(wholeNames([name]))).toEqual([name]);
    expect(new RegExp(wholeNames([name]).slice(1, -1).replace(/\\([ ,'😀-])/gu, "$1")).test(name)).toBe(true);
  }
  expect(namesOf(wholeNames(NAMES))).toEqual(NAMES);
});

it("leaves the expressions of users as they are", () => {
  for (const text of ["carlsen", "/^(?:a.*)$/", "/^Carl/", "/^(?:a(b))$/", "/^(?:", ")$/", "/^(?:)$"]) {
    expect(readable(text)).toBe(text);
  }
  expect(readable(wholeNames(["A, B", "C"]))).toBe("A, B / C");
});

it("puts several names into one parameter", () => {
  expect(separateNames(joinedNames(NAMES))).toEqual(NAMES);
  expect(separateNames(undefined)).toEqual([]);
});
