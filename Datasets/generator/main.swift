// Writes the made-up logs of this folder anew, with the same bytes every time.
//
// Usage: swift run datasets FOLDER. The files that README.md names are replaced in FOLDER.

#if canImport(FoundationEssentials)
  import FoundationEssentials
  import Glibc
#else
  import Foundation
#endif

guard CommandLine.arguments.count == 2 else {
  print("usage: swift run datasets FOLDER")
  exit(64)
}
let folder = URL(filePath: CommandLine.arguments[1])
do {
  for file in DatasetFile.all {
    try Data(file.bytes).write(to: folder.appending(path: file.name), options: .atomic)
    print("\(file.name): \(file.bytes.count) bytes")
  }
} catch {
  print("cannot write below \(folder.path): \(error)")
  exit(74)
}
