class Tabiya < Formula
  include Language::Python::Virtualenv

  desc "Convert, search and view chess databases and opening books"
  homepage "@HOMEPAGE@"
  url "@SOURCE@"
  sha256 "@SOURCE_SHA256@"
  license "MIT"

  depends_on "apache-arrow"
  depends_on "python@3.13"

  def install
    virtualenv_create(libexec, "python3.13")
    system libexec/"bin/python", "-m", "pip", "install", "#{buildpath}[web]"
    bin.install_symlink libexec/"bin/tabiya"
    generate_completions_from_executable(bin/"tabiya", "completion")
  end

  test do
    (testpath/"a.pgn").write "1. e4 e5 *\n"
    system bin/"tabiya", "convert", "a.pgn", "a.cbh"
    assert_match "no differences", shell_output("#{bin}/tabiya diff a.pgn a.cbh 2>&1")
  end
end
