from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import UsageError
from tabiya.formats.cbh.archive.des import decrypt, encrypt
from tabiya.formats.cbh.archive.encryption import key_of

# NBS Special Publication 500-20 and NIST SP 800-17: variable plaintext, variable key, permutations, substitutions.
PUBLISHED = [
    ("0101010101010101", "8000000000000000", "95F8A5E5DD31D900"),
    ("0101010101010101", "4000000000000000", "DD7F121CA5015619"),
    ("0101010101010101", "0000000000000001", "166B40B44ABA4BD6"),
    ("8001010101010101", "0000000000000000", "95A8D72813DAA94D"),
    ("4001010101010101", "0000000000000000", "0EEC1487DD8C26D5"),
    ("1046913489980131", "0000000000000000", "88D55E54F54C97B4"),
    ("7CA110454A1A6E57", "01A1D6D039776742", "690F5B0D9A26939B"),
    ("0131D9619DC1376E", "5CD54CA83DEF57DA", "7A389D10354BD271"),
    ("07A1133E4A0B2686", "0248D43806F67172", "868EBB51CAB4599A"),
    ("133457799BBCDFF1", "0123456789ABCDEF", "85E813540F0AB405"),
]


@pytest.mark.parametrize(("key", "plain", "cipher"), PUBLISHED)
def test_published_vectors(key: str, plain: str, cipher: str) -> None:
    assert encrypt(bytes.fromhex(plain), bytes.fromhex(key)) == bytes.fromhex(cipher)
    assert decrypt(bytes.fromhex(cipher), bytes.fromhex(key)) == bytes.fromhex(plain)


def test_iterated_vector() -> None:
    # Ronald Rivest's test (1985): a chain of 16 steps in which every single error of an implementation shows.
    block = bytes.fromhex("9474B8E8C73BCA7D")
    for step in range(16):
        block = decrypt(block, block) if step % 2 else encrypt(block, block)
    assert block == bytes.fromhex("1B1A2DDB4C642438")


@given(st.binary(min_size=8, max_size=8), st.lists(st.binary(min_size=8, max_size=8), max_size=5))
def test_blocks_are_independent_and_come_back(key: bytes, blocks: list[bytes]) -> None:
    data = b"".join(blocks)
    cipher = encrypt(data, key)
    assert cipher == b"".join(encrypt(block, key) for block in blocks)
    assert decrypt(cipher, key) == data


@given(st.binary(min_size=8, max_size=8), st.binary(min_size=8, max_size=8))
def test_complement(key: bytes, block: bytes) -> None:
    def inverted(data: bytes) -> bytes:
        return bytes(byte ^ 0xFF for byte in data)

    assert encrypt(inverted(block), inverted(key)) == inverted(encrypt(block, key))


def test_what_makes_no_sense() -> None:
    with pytest.raises(UsageError, match="8 bytes, not 7"):
        encrypt(b"", b"1234567")
    with pytest.raises(ValueError, match="blocks of eight"):
        encrypt(b"1234567", b"password")
    assert encrypt(b"", b"password") == b""


@pytest.mark.parametrize(
    ("password", "key"),
    [
        ("password", "70 61 73 73 77 6F 72 64"),
        ("pass", "70 61 73 73 70 61 73 73"),
        ("abc", "61 62 63 61 62 63 61 62"),
        ("my long password", "AA 93 33 AB A9 B3 BC 24"),
        ("é", "E9 E9 E9 E9 E9 E9 E9 E9"),
    ],
)
def test_keys_of_passwords(password: str, key: str) -> None:
    assert key_of(password) == bytes.fromhex(key)


@pytest.mark.parametrize("password", ["", "пароль"])
def test_passwords_that_have_no_key(password: str) -> None:
    with pytest.raises(UsageError):
        key_of(password)
